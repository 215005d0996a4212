import { type FieldHeader, GribError, type Message, type MessageFault, type Product, readMessages } from 'grib2-wasm'
import type { Limits, MessageIdentity } from '../domain/dataset/want.ts'
import { Fault } from '../domain/fault.ts'

/** A field of a GRIB2 file: the position of its message, its index in the message, and its identity from the sections. */
export interface GribField {
  readonly offset: number
  readonly length: number
  readonly field: number
  readonly identity: MessageIdentity
  readonly name: string
  readonly message: FieldHeader
}

/** A message, or a field of a message, that cannot be read. */
export interface BrokenField {
  readonly offset: number
  /** The length of the message; undefined if it is unreliable. */
  readonly length: number | undefined
  /** Number of the field in the file, counted from 1, such as `12` or `12.2`. */
  readonly number: string
  /** The identity that the sections before the fault declare. */
  readonly identity: MessageIdentity | undefined
  readonly detail: string
}

/**
 * Lists the fields of the first message of a byte range of GRIB2, without decoding values.
 * @throws Fault Corrupt with the position, the expected and the actual content, if the range does not begin with a readable message
 */
export function readFirstMessage(bytes: Uint8Array, source: string): (GribField & { readonly message: Message })[] {
  const fields: (GribField & { readonly message: Message })[] = []
  let broken: BrokenField | undefined
  // The range may end inside a later message, so only faults of the first message count.
  const onFault = (fault: MessageFault) => {
    if (fault.index === 0) broken = brokenField(fault)
  }
  try {
    for (const message of readMessages(bytes, { onFault })) {
      if (broken || message.index > 0) break
      fields.push({ ...fieldOf(message), message })
    }
  } catch (error) {
    throw unreadable(error, source)
  }
  if (broken) throw new Fault('Corrupt', `${source}: ${broken.detail}`, { source })
  return fields
}

/**
 * Returns the position and the identity of a field.
 * @throws GribError if the sections do not identify the field
 */
export function fieldOf(message: FieldHeader): GribField {
  return {
    offset: message.offset,
    length: message.byteLength,
    field: message.field,
    identity: identityOf(message.product),
    name: nameOf(message),
    message,
  }
}

/** Describes a field whose sections do not identify it. */
export function unidentified(message: FieldHeader, error: unknown): BrokenField {
  if (!(error instanceof GribError)) throw error
  const { index, field, offset, byteLength } = message
  return { offset, length: byteLength, number: numberOf(index, field), identity: undefined, detail: error.message }
}

export function brokenField({ index, field, offset, byteLength, product, error }: MessageFault): BrokenField {
  const number = numberOf(index, field)
  return { offset, length: byteLength, number, identity: product && identityOf(product), detail: error.message }
}

const numberOf = (index: number, field: number): string => (field > 0 ? `${index + 1}.${field + 1}` : `${index + 1}`)

function unreadable(error: unknown, source: string): unknown {
  return error instanceof GribError ? new Fault('Corrupt', `${source}: ${error.message}`, { source }, error) : error
}

export function identityOf(product: Product): MessageIdentity {
  const start = product.start?.getTime()
  const end = product.end?.getTime()
  return {
    discipline: product.discipline,
    category: product.category,
    number: product.number,
    surface: product.level?.first.type ?? 255,
    level: product.level?.first.value ?? undefined,
    windowHours: product.ranges ? windowOf(start, end) : 0,
    process: product.ranges?.[0]?.process,
    percentile: product.percentile,
    probability: product.probability && limitsOf(product.probability),
    derived: product.derived?.type,
    constituent: product.constituent?.type,
    run: product.referenceTime.getTime(),
    validTime: end,
  }
}

const windowOf = (start: number | undefined, end: number | undefined): number | undefined =>
  start === undefined || end === undefined ? undefined : (end - start) / 3_600_000

/** Code table 4.9: 0 is below the lower limit, 1 above the upper, 2 between both, 3 above the lower, 4 below the upper. */
function limitsOf({ type, lower, upper }: NonNullable<Product['probability']>): Limits {
  if (type === 0) return { below: lower ?? undefined }
  if (type === 1) return { above: upper ?? undefined }
  if (type === 2 && lower !== null && upper !== null) return { between: [lower, upper] }
  if (type === 3) return { above: lower ?? undefined }
  if (type === 4) return { below: upper ?? undefined }
  return {}
}

function nameOf({ product }: FieldHeader): string {
  return [product.name, product.level?.name, product.interval, product.qualifier].filter(Boolean).join(':')
}
