import { nth } from '../domain/nth.ts'

/** A picture of echo strength on a coarsened grid. It is row-major with the north row first, like its frame. */
export interface Image {
  readonly nx: number
  readonly ny: number
  readonly values: Float32Array
  /** Frame pixels along one side of an image pixel. */
  readonly shrink: number
  /** 1 if a pixel has no coverage; if absent, everything is covered. */
  readonly unseen?: Uint8Array
}

/** Half the size in both directions, after a binomial blur (1 4 6 4 1) against aliasing. Odd edges are dropped. */
export function halve(image: Image): Image {
  const { nx, ny, values } = blurred(image)
  const { unseen } = image
  const width = nx >> 1
  const height = ny >> 1
  const half = new Float32Array(width * height)
  const hidden = unseen && new Uint8Array(width * height)
  for (let j = 0; j < height; j++) {
    const row = 2 * j * nx
    const out = j * width
    for (let i = 0; i < width; i++) {
      const at = row + 2 * i
      half[out + i] = 0.25 * (values[at]! + values[at + 1]! + values[at + nx]! + values[at + nx + 1]!)
      if (hidden) hidden[out + i] = unseen[at]! | unseen[at + 1]! | unseen[at + nx]! | unseen[at + nx + 1]!
    }
  }
  return { nx: width, ny: height, values: half, shrink: image.shrink * 2, ...(hidden && { unseen: hidden }) }
}

/**
 * Binomial blur over five pixels in each direction; edges repeat. Rows without any echo are skipped. A pixel that takes
 * any share from a pixel without coverage counts as not covered.
 */
export function blur(image: Image): Image {
  const { nx, ny, unseen } = image
  return { ...blurred(image), ...(unseen && { unseen: widen(unseen, nx, ny) }) }
}

function blurred({ nx, ny, values, shrink }: Image): Image {
  const across = new Float32Array(nx * ny)
  const busy = new Uint8Array(ny)
  for (let j = 0; j < ny; j++) {
    const row = j * nx
    let any = false
    for (let i = 0; i < nx; i++) {
      if (values[row + i] !== 0) {
        any = true
        break
      }
    }
    if (!any) continue
    busy[j] = 1
    for (let i = 0; i < nx; i++) {
      const w = i > 0 ? i - 1 : 0
      const ww = i > 1 ? i - 2 : 0
      const e = i < nx - 1 ? i + 1 : nx - 1
      const ee = i < nx - 2 ? i + 2 : nx - 1
      across[row + i] =
        0.0625 * (values[row + ww]! + values[row + ee]!) +
        0.25 * (values[row + w]! + values[row + e]!) +
        0.375 * values[row + i]!
    }
  }
  const both = new Float32Array(nx * ny)
  for (let j = 0; j < ny; j++) {
    const rows = [Math.max(0, j - 2), Math.max(0, j - 1), j, Math.min(ny - 1, j + 1), Math.min(ny - 1, j + 2)] as const
    if (!rows.some((row) => busy[row])) continue
    const [a, b, c, d, e] = rows.map((row) => row * nx) as [number, number, number, number, number]
    const out = j * nx
    for (let i = 0; i < nx; i++) {
      both[out + i] =
        0.0625 * (across[a + i]! + across[e + i]!) + 0.25 * (across[b + i]! + across[d + i]!) + 0.375 * across[c + i]!
    }
  }
  return { nx, ny, values: both, shrink }
}

/** Marks pixels within two pixels of a mark, horizontally and vertically. */
function widen(marks: Uint8Array, nx: number, ny: number): Uint8Array {
  const across = new Uint8Array(marks.length)
  for (let j = 0; j < ny; j++) {
    for (let i = 0, row = j * nx, until = -1; i < nx + 2; i++) {
      if (i < nx && marks[row + i]) until = i + 2
      if (i >= 2 && until >= i - 2) across[row + i - 2] = 1
    }
  }
  const both = Uint8Array.from(across)
  for (const by of [-2, -1, 1, 2]) {
    for (let j = Math.max(0, -by); j < Math.min(ny, ny - by); j++) {
      for (let i = 0; i < nx; i++) both[j * nx + i]! |= across[(j + by) * nx + i]!
    }
  }
  return both
}

/** Returns the image, then its halves until one side would be shorter than `least` pixels; finest first. */
export function pyramid(image: Image, levels: number, least = 12): Image[] {
  const all = [image]
  while (all.length < levels) {
    const last = nth(all, all.length - 1)
    if (Math.min(last.nx, last.ny) < 2 * least) break
    all.push(halve(last))
  }
  return all
}
