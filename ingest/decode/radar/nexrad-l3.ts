import { inflateSync } from 'node:zlib'
import { nth } from '../../domain/nth.ts'
import type { Instant } from '../../domain/time.ts'
import { bunzip2 } from '../bzip2.ts'
import { corrupt, Level3Cursor } from './nexrad-l3-cursor.ts'
import {
  type RadarSymbol,
  type RadialField,
  type RasterField,
  readPacket,
  type Symbology,
} from './nexrad-l3-packets.ts'
import { PRODUCTS, type ProductKind, type Scale, scaleOf } from './nexrad-l3-scale.ts'

/** A NEXRAD Level III product, as ICD 2620001 defines it. */
export interface Level3Product {
  readonly code: number
  /** Mnemonic and site from the text header, such as `N0B` and `AMX`; undefined without a header. */
  readonly mnemonic: string | undefined
  readonly site: string | undefined
  readonly lat: number
  readonly lon: number
  readonly heightFeet: number
  readonly coveragePattern: number
  /** Start of the volume scan, and time at which the RPG generated the product. */
  readonly volumeTime: Instant
  readonly productTime: Instant
  /** Elevation in degrees; undefined for products that combine several elevations. */
  readonly elevation: number | undefined
  /** Kind of the values; undefined for products whose values are not decoded. Their symbols and pages are decoded. */
  readonly kind: ProductKind | undefined
  readonly scale: Scale | undefined
  readonly radials: readonly RadialField[]
  readonly rasters: readonly RasterField[]
  readonly symbols: readonly RadarSymbol[]
  /** The texts of the pages next to the picture (graphic attribute block), line by line. */
  readonly attributes: readonly (readonly string[])[]
  /** The pages of the tabular block, with line feeds between the lines. */
  readonly pages: readonly string[]
}

/** Maximum size of a decompressed product. The largest products (0.25 km, half a degree) have 1.4 MB. */
const MAX_BYTES = 16 * 1024 * 1024
const DESCRIPTION_END = 120
/** Products that are only tables: their first offset is that of the tabular block (ICD, figure 3-16). */
const STANDALONE_TABLES: ReadonlySet<number> = new Set([62, 73, 75, 82])
/** Products of one elevation angle. Other products have other content in that word of the description. */
const ELEVATION_PRODUCTS: ReadonlySet<number> = new Set([
  19, 20, 27, 30, 56, 94, 99, 153, 154, 159, 161, 163, 165, 167, 180, 181, 182, 183, 186, 187,
])

interface TextHeader {
  readonly mnemonic: string | undefined
  readonly site: string | undefined
  readonly end: number
}

/** Reads the two header lines of the WMO bulletin and of AWIPS, such as `SDUS54 KBMX 020205 N0QBMX`. */
function readTextHeader(octets: Uint8Array): TextHeader {
  const text = String.fromCharCode(...octets.subarray(0, 64))
  const match =
    /(?:NX|SD|NO)US\d{2} [A-Z0-9]{4} \d{6}[^\r\n]{0,8}\r\r\n(?:([A-Z0-9]{3})([A-Z0-9]{3}) {0,3}\r\r\n)?/.exec(text)
  if (!match) return { mnemonic: undefined, site: undefined, end: 0 }
  return { mnemonic: match[1], site: match[2], end: match.index + match[0].length }
}

/** Decompresses a bulletin of NOAAPORT, which is a sequence of zlib streams of several kilobytes each. */
function inflateFrames(octets: Uint8Array): Uint8Array {
  if (octets[0] !== 0x78 || ((octets[0]! << 8) | octets[1]!) % 31 !== 0) return octets
  const frames: Uint8Array[] = []
  let size = 0
  let at = 0
  while (at + 2 <= octets.length && octets[at] === 0x78) {
    try {
      const options = { info: true, maxOutputLength: MAX_BYTES - size } as const
      const { buffer, engine } = inflateSync(octets.subarray(at), options) as unknown as {
        buffer: Uint8Array
        engine: { bytesWritten: number }
      }
      frames.push(buffer)
      size += buffer.length
      at += engine.bytesWritten
    } catch (error) {
      return corrupt('zlib streams', (error as Error).message)
    }
  }
  return Buffer.concat(frames)
}

/** Returns an instant; day 1 is 1970-01-01. */
const timeOf = (day: number, seconds: number): Instant => (day - 1) * 86_400_000 + seconds * 1000

/** Returns the message with everything after the description decompressed, if the product is compressed. */
function decompressed(message: Uint8Array, code: number, parameters: readonly number[]): Uint8Array {
  const body = message.subarray(DESCRIPTION_END)
  if (body[0] !== 0x42 || body[1] !== 0x5a || body[2] !== 0x68) return message
  const size = nth(parameters, 8) * 0x10000 + nth(parameters, 9)
  const octets = bunzip2(body, MAX_BYTES)
  if (parameters[7] === 1 && size !== 0 && octets.length !== size)
    corrupt(`${size} bytes of product ${code}`, octets.length)
  return Buffer.concat([message.subarray(0, DESCRIPTION_END), octets])
}

function readBlockHeader(cursor: Level3Cursor, block: number): void {
  const [divider, id] = [cursor.i2(), cursor.u2()]
  if (divider !== -1 || id !== block) corrupt(`block ${block}`, `divider ${divider}, block ${id}`)
  cursor.skip(4)
}

function readSymbology(octets: Uint8Array, at: number): Symbology {
  const cursor = new Level3Cursor(octets, at)
  const into: Symbology = { radials: [], rasters: [], symbols: [] }
  readBlockHeader(cursor, 1)
  for (let layers = cursor.u2(); layers > 0; layers--) {
    const divider = cursor.i2()
    if (divider !== -1) corrupt('a layer divider of -1', divider)
    const layer = new Level3Cursor(cursor.take(cursor.u4()))
    while (layer.remaining >= 4) readPacket(layer, into)
  }
  return into
}

/** Returns the texts of each page of the graphic attribute block, in the order of their lines. */
function readAttributes(octets: Uint8Array, at: number): string[][] {
  const cursor = new Level3Cursor(octets, at)
  readBlockHeader(cursor, 2)
  const pages = cursor.u2()
  return Array.from({ length: pages }, () => {
    cursor.u2()
    const page = new Level3Cursor(cursor.take(cursor.u2()))
    const into: Symbology = { radials: [], rasters: [], symbols: [] }
    while (page.remaining >= 4) readPacket(page, into)
    return into.symbols.flatMap(({ text }) => (text === undefined ? [] : [text]))
  })
}

/** Reads pages of lines. Each line has its length before it, and −1 ends a page. */
function readPages(cursor: Level3Cursor): string[] {
  const divider = cursor.i2()
  if (divider !== -1) corrupt('a page divider of -1', divider)
  const pages = cursor.u2()
  if (pages > 1000) corrupt('at most 1000 pages', pages)
  return Array.from({ length: pages }, () => {
    const lines: string[] = []
    for (let size = cursor.i2(); size !== -1; size = cursor.i2()) lines.push(cursor.text(size))
    return lines.join('\n')
  })
}

/**
 * Reads a Level III file.
 * @throws Fault Corrupt if the file is not a Level III product, or is damaged
 */
export function readLevel3(file: Uint8Array): Level3Product {
  const outer = readTextHeader(file)
  const inflated = inflateFrames(file.subarray(outer.end))
  const inner = readTextHeader(inflated)
  const message = inflated.subarray(inner.end)
  const [mnemonic, site] = inner.end > 0 ? [inner.mnemonic, inner.site] : [outer.mnemonic, outer.site]
  const cursor = new Level3Cursor(message)
  const code = cursor.i2()
  cursor.skip(14)
  const blocks = cursor.u2()
  const divider = cursor.i2()
  if (code < 16 || code > 299 || divider !== -1)
    corrupt('a radar product (code 16 to 299)', `code ${code}, divider ${divider}`)
  const [lat, lon, heightFeet] = [cursor.i4() / 1000, cursor.i4() / 1000, cursor.i2()]
  const described = cursor.i2()
  if (described !== code) corrupt(`product ${code} in its description`, described)
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) corrupt('a radar position in degrees', `${lat}, ${lon}`)
  cursor.skip(2)
  const coveragePattern = cursor.i2()
  cursor.skip(4)
  const volumeTime = timeOf(cursor.u2(), cursor.u4())
  const productTime = timeOf(cursor.u2(), cursor.u4())
  const parameters = [cursor.u2(), cursor.u2()]
  cursor.skip(2)
  parameters.push(cursor.u2())
  const thresholds = Array.from({ length: 16 }, () => cursor.u2())
  for (let k = 0; k < 7; k++) parameters.push(cursor.u2())
  cursor.skip(2)
  const [symbology, graphic, tabular] = [cursor.u4() * 2, cursor.u4() * 2, cursor.u4() * 2]
  // The block count includes the header and the description. If the rest of a message is all zeros, an unchecked product would report that
  // there are no storms.
  const offsetCount = [symbology, graphic, tabular].filter((offset) => offset > 0).length
  if (offsetCount < blocks - 2) corrupt(`offsets of ${blocks - 2} blocks`, offsetCount)
  const octets = decompressed(message, code, parameters)
  const kind = PRODUCTS.get(code)
  const standalone = STANDALONE_TABLES.has(code)
  const empty: Symbology = { radials: [], rasters: [], symbols: [] }
  const { radials, rasters, symbols } = symbology && !standalone ? readSymbology(octets, symbology) : empty
  let pages: string[] = []
  if (standalone && symbology) pages = readPages(new Level3Cursor(octets, symbology))
  // The pages follow a copy of the message header and of the description.
  else if (tabular) {
    const table = new Level3Cursor(octets, tabular)
    readBlockHeader(table, 3)
    table.skip(DESCRIPTION_END)
    pages = readPages(table)
  }
  return {
    code,
    mnemonic,
    site,
    lat,
    lon,
    heightFeet,
    coveragePattern,
    volumeTime,
    productTime,
    elevation: ELEVATION_PRODUCTS.has(code) ? ((nth(parameters, 2) << 16) >> 16) / 10 : undefined,
    kind,
    scale: kind && scaleOf(kind, thresholds),
    radials,
    rasters,
    symbols,
    attributes: graphic && !standalone ? readAttributes(octets, graphic) : [],
    pages,
  }
}
