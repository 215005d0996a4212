import { crc32 } from 'node:zlib'
import { Fault } from '../domain/fault.ts'

/** The directory of a tile object: its blocks and their offsets. */
export interface Directory {
  /** Blocks in the order of their parents. */
  readonly blocks: number
  /** Returns the index of the block of a parent, -1 if there is none. */
  find(parent: number): number
  /** Offset of a block in the object; the offset after the last block is its end. */
  offset(block: number): number
  check(block: number): number
  readonly name: string
}

const magic = 0x31545848

/**
 * @param size bytes of the whole object
 * @throws Fault Corrupt that names the object
 */
export function readDirectory(key: string, bytes: Uint8Array, check: number, size: number): Directory {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head = bytes.length >= 24 && view.getUint32(0, true) === magic && view.getUint32(4, true) === bytes.length
  const checksum = head ? crc32(bytes.subarray(12)) : -1
  if (checksum !== check || view.getUint32(8, true) !== check) {
    throw new Fault(
      'Corrupt',
      `tile ${key}, directory: ${head ? `the checksum must be ${check.toString(16)}, but is ${checksum.toString(16)}` : `the ${bytes.length} bytes are not a directory`}. Build the tiles again with hexcast weave.`,
      { object: key, block: 'directory' },
    )
  }
  const blocks = view.getUint32(12, true)
  const titleLength = view.getUint16(20, true)
  const records = (22 + titleLength + 3) & ~3
  return {
    blocks,
    name: Buffer.from(bytes.subarray(22, 22 + titleLength)).toString(),
    find(parent) {
      let low = 0
      let high = blocks - 1
      while (low <= high) {
        const middle = (low + high) >>> 1
        const candidate = view.getUint32(records + middle * 12, true)
        if (candidate === parent) return middle
        if (candidate < parent) low = middle + 1
        else high = middle - 1
      }
      return -1
    },
    offset: (block) => (block === blocks ? size : view.getUint32(records + block * 12 + 4, true)),
    check: (block) => view.getUint32(records + block * 12 + 8, true),
  }
}
