import { inflate } from './inflate'
import { beginRows, rowFault } from './png-rows'

/**
 * Pixels of a PNG's joined IDAT octets as floats, base + pixel × step: `columns` × `rows` pixels of `depth` bits in all
 * their channels. With `streaming`, `out` has space for PORTION floats and a row, and finished rows are emitted; with `raw`
 * too, as octets and not as floats. `buffers` has space for two rows and 64 octets around each, `window` for `capacity`.
 */
export function unpackPng(
  source: usize, size: i32, columns: i32, rows: i32, depth: i32,
  window: usize, capacity: i32, buffers: usize, base: f64, step: f64, out: usize, streaming: bool, raw: bool,
): i32 {
  beginRows(columns, rows, depth, window, buffers, base, step, out, streaming, raw)
  const code = inflate(source, size, window, capacity)
  const problem = rowFault()
  return problem ? problem : code
}

const crcTable: usize = memory.data(4 * 256 * 4, 16)
for (let k: u32 = 0; k < 256; k++) {
  let value = k
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >> 1) : value >> 1
  store<u32>(crcTable + (<usize>k << 2), value)
}
for (let k: usize = 0; k < 256; k++) {
  for (let t: usize = 1; t < 4; t++) {
    const before = load<u32>(crcTable + (((t - 1) * 256 + k) << 2))
    store<u32>(crcTable + ((t * 256 + k) << 2), (before >> 8) ^ load<u32>(crcTable + (<usize>(before & 255) << 2)))
  }
}

/** CRC-32 as PNG's chunks carry it, going on from `crc` (0 at first). */
export function crc32(crc: u32, at: usize, size: i32): u32 {
  crc = ~crc
  let k = 0
  for (; k + 4 <= size; k += 4) {
    crc ^= load<u32>(at + k)
    crc =
      load<u32>(crcTable + ((768 + <usize>(crc & 255)) << 2)) ^
      load<u32>(crcTable + ((512 + <usize>((crc >> 8) & 255)) << 2)) ^
      load<u32>(crcTable + ((256 + <usize>((crc >> 16) & 255)) << 2)) ^
      load<u32>(crcTable + (<usize>(crc >> 24) << 2))
  }
  for (; k < size; k++) crc = (crc >> 8) ^ load<u32>(crcTable + (<usize>((crc ^ load<u8>(at + k)) & 255) << 2))
  return ~crc
}
