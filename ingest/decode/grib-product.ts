import { type Message, type Product, readMessages } from 'grib2-wasm'
import type { Limits, MessageIdentity } from '../domain/dataset/want.ts'
import { Fault } from '../domain/fault.ts'

/** A field in a byte range of GRIB2: the position of its message, its index in the message, and the identity in its sections. */
export interface GribField {
  readonly offset: number
  readonly length: number
  readonly field: number
  readonly identity: MessageIdentity
  readonly name: string
  readonly message: Message
}

/**
 * Lists the fields of a byte range of GRIB2 without decoding any value.
 * @param first whether only the fields of the first message are listed
 * @throws Fault Corrupt with what was expected and found, and the position
 */
export function readFields(bytes: Uint8Array, source: string, first = false): GribField[] {
  const fields: GribField[] = []
  let at = 0
  try {
    for (const message of readMessages(first ? untilSecond(bytes) : bytes)) {
      at = message.offset
      fields.push({
        offset: message.offset,
        length: message.byteLength,
        field: message.field,
        identity: identityOf(message.product),
        name: nameOf(message),
        message,
      })
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Fault('Corrupt', `${source}, after byte ${at}: ${why}`, { source, at }, error)
  }
  return fields
}

function untilSecond(bytes: Uint8Array): Uint8Array {
  for (const { offset, byteLength } of readMessages(bytes)) return bytes.subarray(0, offset + byteLength)
  return bytes
}

export function identityOf(product: Product): MessageIdentity {
  const reference = product.referenceTime.getTime()
  const start = product.start?.getTime() ?? reference
  const end = product.end?.getTime() ?? start
  return {
    discipline: product.discipline,
    category: product.category,
    number: product.number,
    surface: product.level?.first.type ?? 255,
    level: product.level?.first.value ?? undefined,
    windowHours: product.ranges ? (end - start) / 3_600_000 : 0,
    process: product.ranges?.[0]?.process,
    percentile: product.percentile,
    probability: product.probability && limitsOf(product.probability),
    derived: product.derived?.type,
    run: reference,
    validTime: end,
  }
}

/** Code table 4.9: below the lower limit, above the upper, between both, above the lower, below the upper. */
function limitsOf({ type, lower, upper }: NonNullable<Product['probability']>): Limits {
  if (type === 0) return { below: lower ?? undefined }
  if (type === 1) return { above: upper ?? undefined }
  if (type === 2 && lower !== null && upper !== null) return { between: [lower, upper] }
  if (type === 3) return { above: lower ?? undefined }
  if (type === 4) return { below: upper ?? undefined }
  return {}
}

function nameOf({ product }: Message): string {
  return [product.name, product.level?.name, product.interval, product.qualifier].filter(Boolean).join(':')
}
