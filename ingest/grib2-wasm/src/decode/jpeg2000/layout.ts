import type { TileData, TilePart } from './codestream.ts'
import { corrupt, unsupported } from './cursor.ts'
import type { Coding, Header, PacketOrder, Progression } from './markers.ts'
import { TagTree } from './tag-tree.ts'

/** Coding passes of a block that share one terminated codeword. */
export interface Segment {
  /** Number of passes of the block before this segment. */
  readonly first: number
  passes: number
  readonly capacity: number
  readonly parts: Uint8Array[]
}

/** A code block, with the content of the packets that were read so far. */
export interface Block {
  /** Position and size in the tile's coefficients. */
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly band: Band
  included: boolean
  planes: number
  passes: number
  lengthBits: number
  readonly segments: Segment[]
}

/** The code blocks of one subband in one precinct. */
export interface PrecinctBand {
  readonly across: number
  readonly blocks: readonly Block[]
  readonly inclusion: TagTree
  readonly zeroPlanes: TagTree
}

export interface Band {
  /** 0 LL, 1 HL, 2 LH, 3 HH. */
  readonly kind: number
  /** Number of bit planes of the coefficients, including those by which a region of interest was shifted up. */
  readonly planes: number
  /** Step of quantized coefficients; 0 for integers. */
  readonly quantum: number
}

export interface Precinct {
  /** Its corner in the tile's coordinates: the sort key of packets in order of position (B.12.1.3 to 5). */
  readonly x: number
  readonly y: number
  layersRead: number
  readonly bands: readonly PrecinctBand[]
}

export interface Resolution {
  /** Its rectangle, in its own coordinates. */
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
  readonly precincts: readonly Precinct[]
}

export interface ImageTile {
  readonly x0: number
  readonly y0: number
  readonly w: number
  readonly h: number
  readonly order: PacketOrder
  readonly coding: Coding
  readonly regionShift: number
  readonly progressions: readonly Progression[]
  readonly resolutions: readonly Resolution[]
  readonly parts: readonly TilePart[]
}

/** Remaining number of precincts and code blocks of an image: 2^18 blocks of 64 × 64 would be a billion points. */
export interface Budget {
  remaining: number
}

export const BLOCKS = 2 ** 18

const up = (value: number, exponent: number) => Math.ceil(value / 2 ** exponent)
const down = (value: number, exponent: number) => Math.floor(value / 2 ** exponent)

interface Rectangle {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** Returns a subband's rectangle after `level` decompositions (annex B.5). */
function bandOf(tile: Rectangle, kind: number, level: number): Rectangle {
  const half = level > 0 ? 2 ** (level - 1) : 0
  const [dx, dy] = [kind & 1 ? half : 0, kind & 2 ? half : 0]
  return {
    x0: up(tile.x0 - dx, level),
    y0: up(tile.y0 - dy, level),
    x1: up(tile.x1 - dx, level),
    y1: up(tile.y1 - dy, level),
  }
}

/** Returns the code blocks of a precinct in a rectangle of the code-block grid, placed after `left`, `top` in the tile. */
function blocksOf(
  part: Rectangle,
  band: Band,
  area: Rectangle,
  left: number,
  top: number,
  ex: number,
  ey: number,
  budget: Budget,
): PrecinctBand {
  const empty = part.x1 <= part.x0 || part.y1 <= part.y0
  const [gx0, gy0] = [down(part.x0, ex), down(part.y0, ey)]
  const across = empty ? 0 : up(part.x1, ex) - gx0
  const rows = empty ? 0 : up(part.y1, ey) - gy0
  const blocks: Block[] = []
  budget.remaining -= across * rows
  if (budget.remaining < 0) unsupported(0, `at most ${BLOCKS} code blocks`, 'more')
  for (let gy = gy0; gy < gy0 + rows; gy++) {
    for (let gx = gx0; gx < gx0 + across; gx++) {
      const x0 = Math.max(part.x0, gx * 2 ** ex)
      const y0 = Math.max(part.y0, gy * 2 ** ey)
      const w = Math.min(part.x1, (gx + 1) * 2 ** ex) - x0
      const h = Math.min(part.y1, (gy + 1) * 2 ** ey) - y0
      const place = { x: left + x0 - area.x0, y: top + y0 - area.y0, w, h, band }
      blocks.push({ ...place, included: false, planes: 0, passes: 0, lengthBits: 3, segments: [] })
    }
  }
  return { across, blocks, inclusion: new TagTree(across, rows), zeroPlanes: new TagTree(across, rows) }
}

/** Returns bit planes and step of subband `kind` of resolution `r` (annex E.1), for samples of `bits`. */
function bandAt(kind: number, r: number, { coding, quantization, regionShift }: TileData, bits: number): Band {
  const { exponents, mantissas, guard, derived } = quantization
  const k = r === 0 ? 0 : 3 * (r - 1) + kind
  const first = exponents[derived ? 0 : k]
  if (first === undefined) return corrupt(0, `exponents for ${3 * coding.levels + 1} subbands`, exponents.length)
  const exponent = derived && r > 1 ? Math.max(0, first - (r - 1)) : first
  const planes = guard + exponent - 1 + regionShift
  if (coding.reversible) return { kind, planes, quantum: 0 }
  return { kind, planes, quantum: (1 + mantissas[derived ? 0 : k]! / 2048) * 2 ** (bits - exponent) }
}

function resolutionOf(tile: Rectangle, data: TileData, r: number, bits: number, budget: Budget): Resolution {
  const { coding } = data
  const { levels } = coding
  const rectangle = bandOf(tile, 0, levels - r)
  const lower = r === 0 ? rectangle : bandOf(tile, 0, levels - r + 1)
  const [px, py] = coding.precincts[r]!
  const [gx0, gy0] = [down(rectangle.x0, px), down(rectangle.y0, py)]
  const across = rectangle.x1 > rectangle.x0 ? up(rectangle.x1, px) - gx0 : 0
  const rows = rectangle.y1 > rectangle.y0 ? up(rectangle.y1, py) - gy0 : 0
  const kinds = r === 0 ? [0] : [1, 2, 3]
  const bands = kinds.map((kind) => ({
    band: bandAt(kind, r, data, bits),
    area: bandOf(tile, kind, r === 0 ? levels : levels - r + 1),
  }))
  // Above the lowest resolution, a precinct has half its side length in the subbands.
  const shrink = r === 0 ? 0 : 1
  const [ex, ey] = [Math.min(coding.blockX, px - shrink), Math.min(coding.blockY, py - shrink)]
  const precincts: Precinct[] = []
  budget.remaining -= across * rows
  if (budget.remaining < 0) unsupported(0, `at most ${BLOCKS} precincts and code blocks`, across * rows)
  for (let gy = gy0; gy < gy0 + rows; gy++) {
    for (let gx = gx0; gx < gx0 + across; gx++) {
      const [sx, sy] = [2 ** (px - shrink), 2 ** (py - shrink)]
      precincts.push({
        x: Math.max(tile.x0, gx * 2 ** (px + levels - r)),
        y: Math.max(tile.y0, gy * 2 ** (py + levels - r)),
        layersRead: 0,
        bands: bands.map(({ band, area }) => {
          const part = {
            x0: Math.max(area.x0, gx * sx),
            y0: Math.max(area.y0, gy * sy),
            x1: Math.min(area.x1, (gx + 1) * sx),
            y1: Math.min(area.y1, (gy + 1) * sy),
          }
          const left = band.kind & 1 ? lower.x1 - lower.x0 : 0
          const top = band.kind & 2 ? lower.y1 - lower.y0 : 0
          return blocksOf(part, band, area, left, top, ex, ey, budget)
        }),
      })
    }
  }
  return { ...rectangle, precincts }
}

/** Returns the samples of the component in a rectangle of the reference grid (B-12). */
function componentOf({ x0, y0, x1, y1 }: Rectangle, { stepX, stepY }: Header): Rectangle {
  const [left, top] = [Math.ceil(x0 / stepX), Math.ceil(y0 / stepY)]
  return { x0: left, y0: top, x1: Math.ceil(x1 / stepX), y1: Math.ceil(y1 / stepY) }
}

/** Returns the number of columns and rows of the component. */
export function sizeOf(header: Header): readonly [width: number, height: number] {
  const { x0, y0, x1, y1 } = componentOf(header, header)
  return [x1 - x0, y1 - y0]
}

/** Returns the resolutions, subbands, precincts and code blocks of a tile (annex B). */
export function layoutOf(header: Header, data: TileData, budget: Budget): ImageTile {
  const across = Math.ceil((header.x1 - header.tileX0) / header.tileWidth)
  const [column, row] = [data.index % across, Math.floor(data.index / across)]
  const image = componentOf(header, header)
  const rectangle = componentOf(
    {
      x0: Math.max(header.tileX0 + column * header.tileWidth, header.x0),
      y0: Math.max(header.tileY0 + row * header.tileHeight, header.y0),
      x1: Math.min(header.tileX0 + (column + 1) * header.tileWidth, header.x1),
      y1: Math.min(header.tileY0 + (row + 1) * header.tileHeight, header.y1),
    },
    header,
  )
  const resolutions = Array.from({ length: data.coding.levels + 1 }, (_, r) =>
    resolutionOf(rectangle, data, r, header.bits, budget),
  )
  const { order, coding, regionShift, progressions, parts } = data
  return {
    x0: rectangle.x0 - image.x0,
    y0: rectangle.y0 - image.y0,
    w: rectangle.x1 - rectangle.x0,
    h: rectangle.y1 - rectangle.y0,
    order,
    coding,
    regionShift,
    progressions,
    resolutions,
    parts,
  }
}
