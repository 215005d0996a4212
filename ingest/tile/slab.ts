import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { packCover, unpackCover } from '../domain/cell.ts'
import type { DomainId } from '../domain/domain.ts'
import { Fault } from '../domain/fault.ts'
import { nth } from '../domain/nth.ts'
import type { Instant } from '../domain/time.ts'
import { type Cover, cutCover } from './cover.ts'

/** Upstream's address of a message. */
export interface MessageSource {
  readonly url: string
  /** The first byte and the number of bytes. */
  readonly from: number
  readonly length: number
  /**
   * Number of the message in the file, from 1 as in the index: `12`, or `12.2` in a message with several fields. Older
   * runs lack it.
   */
  readonly number?: string
  /** SHA-256 of the bytes in hexadecimal digits. Older runs lack it. */
  readonly sha256?: string
  /**
   * A second message of the same file: for a wind the v component, while the message above has the u component; for a
   * direction the speed by which it is averaged; for a ceiling above sea level the height of the ground.
   */
  readonly v?: Pick<MessageSource, 'from' | 'length' | 'number' | 'sha256'>
}

/** A variable and time of a slab: value = code * quantum + offset; code -32768 means missing. */
export interface SlabItem {
  readonly variable: string
  readonly time: Instant
  readonly quantum: number
  readonly offset: number
  readonly source?: MessageSource
}

export interface SlabIdentity {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  readonly resolution: number
}

export interface SlabHead extends SlabIdentity {
  readonly items: readonly SlabItem[]
  /** The id is equal for two files with the same cells. */
  readonly coverId: string
  /** Bytes from the start to the first part. */
  readonly length: number
  /** Checksum of the head, which contains the checksums of all parts. */
  readonly check: number
  /** Offset of each part after the head; the last element is the end. */
  readonly offsets: Uint32Array
  readonly checks: Uint32Array
  cover(): Cover
}

const magic = 0x31535848 // "HXS1"

/** One slab, packed part by part. */
export interface PackedSlab extends SlabItem {
  readonly bytes: Uint8Array
  /** Offset of each part in the bytes; the last element is the end. */
  readonly parts: Uint32Array
}

/**
 * Joins the slabs of an upstream file to an object: a head, then for each part of the cover the bytes of every slab.
 * See FORMAT.md.
 */
export function joinSlabs(identity: SlabIdentity, cover: Cover, slabs: readonly PackedSlab[]): Uint8Array {
  const parts = cover.partCells.length - 1
  const offsets = new Uint32Array(parts + 1)
  for (let p = 0; p < parts; p++) {
    let size = slabs.length * 4
    for (const slab of slabs) size += slab.parts[p + 1]! - slab.parts[p]!
    offsets[p + 1] = offsets[p]! + size
  }
  const { packed, id: coverId } = packedCoverOf(cover)
  const items = slabs.map(({ variable, time, quantum, offset, source }) => ({
    variable,
    time,
    quantum,
    offset,
    source,
  }))
  return fileOf({ ...identity, coverId, items }, packed, offsets, (p, to, view, bytes) => {
    let at = to + slabs.length * 4
    slabs.forEach((slab, s) => {
      const part = slab.bytes.subarray(slab.parts[p], slab.parts[p + 1])
      view.setUint32(to + s * 4, part.length, true)
      bytes.set(part, at)
      at += part.length
    })
  })
}

/**
 * Merges objects of an upstream file, each with some of its items, into the object that {@link joinSlabs} builds from
 * all items in order.
 * @throws Fault Corrupt if they have different cells
 */
export function mergeSlabs(files: readonly Uint8Array[]): Uint8Array {
  const heads = files.map((bytes) => readSlabHead('in parts', bytes))
  const [first] = heads
  if (!first) throw new Fault('Invalid', 'no slabs to merge')
  const { coverId } = first
  const odd = heads.find((head) => head.coverId !== coverId)
  if (odd)
    throw new Fault(
      'Corrupt',
      `${nth(odd.items, 0).variable}: its grid must have the cells ${coverId}, like the fields before it in the file, but has ${odd.coverId}`,
    )
  const parts = first.offsets.length - 1
  const offsets = Uint32Array.from({ length: parts + 1 }, (_, p) =>
    heads.reduce((sum, head) => sum + head.offsets[p]!, 0),
  )
  const items = heads.flatMap((head) => head.items)
  return fileOf({ ...first, items }, packedCoverIn(nth(files, 0)), offsets, (p, to, _, bytes) => {
    let lengthsAt = to
    let at = to + items.length * 4
    heads.forEach((head, f) => {
      const part = nth(files, f).subarray(head.length + head.offsets[p]!, head.length + head.offsets[p + 1]!)
      const lengths = head.items.length * 4
      bytes.set(part.subarray(0, lengths), lengthsAt)
      bytes.set(part.subarray(lengths), at)
      lengthsAt += lengths
      at += part.length - lengths
    })
  })
}

/** @param fill writes a part at a byte offset */
function fileOf(
  { dataset, domain, run, resolution, coverId, items }: SlabIdentity & Pick<SlabHead, 'coverId' | 'items'>,
  packedCover: Uint8Array,
  offsets: Uint32Array,
  fill: (part: number, to: number, view: DataView, bytes: Uint8Array) => void,
): Uint8Array {
  const parts = offsets.length - 1
  const json = Buffer.from(JSON.stringify({ dataset, domain, run, resolution, coverId, items }))
  const jsonAt = 24
  const tableAt = (jsonAt + json.length + 3) & ~3
  const coverAt = tableAt + (parts + 1) * 8
  const length = (coverAt + packedCover.length + 3) & ~3
  const bytes = new Uint8Array(length + offsets[parts]!)
  const view = new DataView(bytes.buffer)
  const checks = new Uint32Array(parts + 1)
  for (let p = 0; p < parts; p++) {
    fill(p, length + offsets[p]!, view, bytes)
    checks[p] = crc32(bytes.subarray(length + offsets[p]!, length + offsets[p + 1]!))
  }
  const words = [magic, length, 0, json.length, parts, packedCover.length]
  for (const [k, word] of words.entries()) view.setUint32(k * 4, word, true)
  bytes.set(json, jsonAt)
  for (let p = 0; p <= parts; p++) {
    view.setUint32(tableAt + p * 8, offsets[p]!, true)
    view.setUint32(tableAt + p * 8 + 4, checks[p]!, true)
  }
  bytes.set(packedCover, coverAt)
  view.setUint32(8, crc32(bytes.subarray(12, length)), true)
  return bytes
}

function packedCoverIn(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [jsonLength, parts, coverLength] = [
    view.getUint32(12, true),
    view.getUint32(16, true),
    view.getUint32(20, true),
  ]
  const coverAt = ((24 + jsonLength + 3) & ~3) + (parts + 1) * 8
  return bytes.subarray(coverAt, coverAt + coverLength)
}

const packedCovers = new WeakMap<Cover, { id: string; packed: Uint8Array }>()

/** A cover's name and packed form, cached: computing them takes longer than a slab. */
function packedCoverOf(cover: Cover): { id: string; packed: Uint8Array } {
  let packed = packedCovers.get(cover)
  if (!packed) {
    const { ids } = cover
    const check = crc32(new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength))
    const id = `${cover.resolution}-${ids.length}-${check.toString(16)}`
    packedCovers.set(cover, (packed = { id, packed: deflateRawSync(packCover(ids)) }))
  }
  return packed
}

/** Returns the number of bytes of the head from the first 8 bytes. */
export function headLength(name: string, bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 24 || view.getUint32(0, true) !== magic) {
    throw broken(name, `its ${bytes.length} bytes do not begin with "HXS1"`)
  }
  return view.getUint32(4, true)
}

/** Returns the checksum that a slab object states about its head, without verifying it. */
export function slabCheck(bytes: Uint8Array): string {
  return hex(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(8, true))
}

/** @param bytes at least the head @throws Fault Corrupt */
export function readSlabHead(name: string, bytes: Uint8Array): SlabHead {
  const length = headLength(name, bytes)
  if (length > bytes.length) throw broken(name, `its head must have ${length} bytes, but has ${bytes.length}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const expected = view.getUint32(8, true)
  const actual = crc32(bytes.subarray(12, length))
  if (expected !== actual)
    throw broken(name, `the checksum of its head must be ${hex(expected)}, but is ${hex(actual)}`)
  const [jsonLength, parts, coverLength] = [
    view.getUint32(12, true),
    view.getUint32(16, true),
    view.getUint32(20, true),
  ]
  const json = JSON.parse(Buffer.from(bytes.subarray(24, 24 + jsonLength)).toString()) as SlabHead
  const tableAt = (24 + jsonLength + 3) & ~3
  const offsets = new Uint32Array(parts + 1)
  const checks = new Uint32Array(parts + 1)
  for (let p = 0; p <= parts; p++) {
    offsets[p] = view.getUint32(tableAt + p * 8, true)
    checks[p] = view.getUint32(tableAt + p * 8 + 4, true)
  }
  const coverAt = tableAt + (parts + 1) * 8
  const packed = bytes.slice(coverAt, coverAt + coverLength)
  return {
    ...json,
    length,
    check: expected,
    offsets,
    checks,
    cover: () => cutCover(unpackCover(inflateRawSync(packed)), json.resolution),
  }
}

/** Verifies the bytes of parts `from` up to `to`. @throws Fault Corrupt that names the part */
export function checkParts(name: string, head: SlabHead, from: number, to: number, bytes: Uint8Array): void {
  const begin = head.offsets[from]!
  for (let p = from; p < to; p++) {
    const part = bytes.subarray(head.offsets[p]! - begin, head.offsets[p + 1]! - begin)
    const checksum = crc32(part)
    if (checksum !== head.checks[p]) {
      throw broken(name, `the checksum of part ${p} must be ${hex(head.checks[p]!)}, but is ${hex(checksum)}`)
    }
  }
}

function broken(name: string, why: string): Fault {
  return new Fault('Corrupt', `slabs ${name}: ${why}. Sample the file again.`, { object: name })
}

const hex = (number: number) => number.toString(16).padStart(8, '0')
