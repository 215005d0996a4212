import { GribError } from 'grib2-wasm'
import { type GribField, readFirstMessage } from '../../decode/grib-product.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import { gridMismatch } from '../../domain/dataset/declared-grid.ts'
import { variable } from '../../domain/dataset/variable.ts'
import { type Match, mismatch, type Want, wantedVariables } from '../../domain/dataset/want.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import type { QuarantineReason } from '../../domain/quarantine.ts'
import { HOUR, type Instant, isoMilliseconds } from '../../domain/time.ts'
import type { PlannedFile } from './plan.ts'
import type { FileOptions, PlannedMessage } from './plan-file.ts'

/** A fetched message that matches its want. */
export interface FetchedMessage {
  /** A view of the fetched range; copy it before transferring it. */
  readonly bytes: Uint8Array
  readonly field: number
  readonly from: number
  /** Number in the file, from 1: `12`, `12.2`. */
  readonly number: string
  /** Whether the range contains further messages, which the index does not list. */
  readonly isFollowed: boolean
}

/** The declarations with which every message of a file is compared. */
export interface Expected {
  readonly dataset: GridDataset
  readonly domain: DomainId
  readonly run: Instant
  readonly file: PlannedFile
  /** Whether the files come from a mirror, which may thin the grid. */
  readonly mirrored: boolean
  readonly options: FileOptions
}

/** Maximum padding between two messages; some tools that cut files leave a few bytes. */
const MAX_PADDING_BYTES = 16
/** Weather data never has exponents beyond these. */
const MAX_BINARY_SCALE = 64
const MAX_DECIMAL_SCALE = 20
/** Largest step between values as a share of the variable's range. */
const MAX_STEP_SHARE = 0.1

/**
 * Returns the number of padding bytes after a message, up to the end or to the next message, which the index may not
 * list.
 */
function surplusOf(bytes: Uint8Array, length: number): number {
  const surplus = bytes.subarray(length)
  const next = Buffer.from(surplus.subarray(0, MAX_PADDING_BYTES + 4)).indexOf('GRIB')
  return next < 0 ? surplus.length : next
}

const INDICATOR_BYTES = 16

/**
 * Returns whether a message of the listed length begins where the index says; if so, the index is right about a message
 * that cannot be decoded.
 */
function isPlaced({ length }: PlannedMessage, bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, INDICATOR_BYTES))
  if (head.length < INDICATOR_BYTES || head.toString('latin1', 0, 4) !== 'GRIB' || head[7] !== 2) return false
  const own = Number(head.readBigUInt64BE(8))
  return own <= bytes.length && (length === undefined || surplusOf(bytes, own) <= MAX_PADDING_BYTES)
}

interface MessageAt {
  readonly fields: readonly GribField[]
  readonly length: number
}

/**
 * Returns the GRIB2 message that the index lists at a range of bytes.
 * @throws Fault Corrupt, with `displaced` in its details if the message may be elsewhere in the file
 */
function messageAt(file: PlannedFile, promise: PlannedMessage, bytes: Uint8Array): MessageAt {
  const where = `${file.url} byte ${promise.offset}`
  let fields: readonly GribField[]
  try {
    fields = readFirstMessage(bytes, where)
  } catch (error) {
    if (!isFault(error, 'Corrupt')) throw error
    throw corrupt('format', error.message, file, { displaced: !isPlaced(promise, bytes) }, error)
  }
  const { length, offset } = nth(fields, 0)
  const surplus = promise.length === undefined ? 0 : surplusOf(bytes, length)
  if (offset === 0 && surplus <= MAX_PADDING_BYTES) return { fields, length }
  throw corrupt(
    'format',
    `${where}: the index lists "${promise.text}" with ${promise.length} bytes, but a GRIB2 message of ${length} bytes begins ${offset} bytes further`,
    file,
    { displaced: true },
  )
}

/**
 * Checks a message that the index lists: it must be a GRIB2 message of the listed length and the requested kind, and
 * pass {@link checkField}.
 */
export function checkMessage(
  expected: Expected,
  want: Want,
  match: Match,
  promise: PlannedMessage,
  bytes: Uint8Array,
): FetchedMessage {
  const { file } = expected
  const { fields, length } = messageAt(file, promise, bytes)
  const field = fields.find(({ identity }) => mismatch(match, identity) === undefined)
  if (!field) {
    const others = fields.map(({ name, identity }) => `"${name}" (${mismatch(match, identity)})`).join(', ')
    const where = `${file.url} byte ${promise.offset}`
    const detail = `${where}: the index lists "${promise.text}", but the message is ${others}`
    throw corrupt('parameter', detail, file, { displaced: true })
  }
  checkField(expected, want, field, promise.offset)
  return {
    bytes: bytes.subarray(0, length),
    field: field.field,
    from: promise.offset,
    number: promise.number,
    isFollowed: promise.length !== undefined && bytes.length - length > MAX_PADDING_BYTES,
  }
}

/** Returns whether a field is for the run and hour of the file. */
export function isInTime({ run, file }: Pick<Expected, 'run' | 'file'>, { identity }: GribField): boolean {
  return identity.run === run && identity.validTime === run + file.leadHours * HOUR
}

/** Compares the sections of a field with the declarations of the dataset, without decoding values. @throws Fault Corrupt with the reason */
export function checkField(expected: Expected, want: Want, field: GribField, from: number): void {
  const { dataset, domain, file, mirrored, options } = expected
  const where = `${file.url} byte ${from}`
  checkTime(expected, field, where)
  try {
    const declared = dataset.grids[domain]
    const off = declared && !options.lenient && gridMismatch(declared, field.message.grid, mirrored)
    if (off) throw corrupt('grid', `${where}: ${off}`, file)
    const odd = oddPacking(field, want)
    if (odd) throw corrupt('packing', `${where}: ${odd}`, file)
  } catch (error) {
    if (!(error instanceof GribError)) throw error
    throw corrupt(error.section === 3 ? 'grid' : 'packing', `${where}: ${error.message}`, file, {}, error)
  }
}

function checkTime(expected: Expected, field: GribField, where: string): void {
  if (isInTime(expected, field)) return
  const { run, file } = expected
  const valid = run + file.leadHours * HOUR
  const { identity } = field
  const { validTime } = identity
  throw corrupt(
    'time',
    `${where}: expected run ${isoMilliseconds(run)} valid ${isoMilliseconds(valid)}, but found run ${isoMilliseconds(identity.run)} valid ${validTime === undefined ? 'at an unknown time' : isoMilliseconds(validTime)}`,
    file,
  )
}

function oddPacking({ message }: GribField, want: Want): string | undefined {
  const { packing, points } = message
  const { binaryScale, decimalScale, bits, values, quantum } = packing
  if (Math.abs(binaryScale) > MAX_BINARY_SCALE || Math.abs(decimalScale) > MAX_DECIMAL_SCALE)
    return `packing: expected exponents of a quantity of weather, but found 2^${binaryScale} and 10^${-decimalScale}`
  if (values > points) return `packing: expected at most ${points} values, but found ${values}`
  if (bits === 0 || want.kind !== 'scalar') return undefined
  const { range, unit, kind } = variable(nth(wantedVariables(want), 0))
  const step = quantum * Math.abs(want.scale ?? 1)
  if (kind === 'code' || !(step > (range[1] - range[0]) * MAX_STEP_SHARE)) return undefined
  return `packing: expected steps that resolve values from ${range[0]} to ${range[1]} ${unit}, but found steps of ${step}`
}

function corrupt(
  reason: QuarantineReason,
  message: string,
  { url }: PlannedFile,
  details: { readonly displaced?: boolean } = {},
  cause?: unknown,
): Fault {
  return new Fault('Corrupt', message, { url, reason, ...details }, cause)
}
