/** A coarse grid of nodes over a frame; the last row and column lie at or beyond its edge. */
export interface NodeGrid {
  readonly nx: number
  readonly ny: number
  /** Frame pixels between nodes. */
  readonly spacing: number
  readonly count: number
}

export function nodeGrid(width: number, height: number, spacing: number): NodeGrid {
  const nx = Math.ceil((width - 1) / spacing) + 1
  const ny = Math.ceil((height - 1) / spacing) + 1
  return { nx, ny, spacing, count: nx * ny }
}

/** For every pixel along one side: the preceding node, and the fraction of the distance to the next node. */
export function sampleNodes(
  pixels: number,
  perPixel: number,
  offset: number,
  nodes: number,
): { index: Int32Array; fraction: Float32Array } {
  const index = new Int32Array(pixels)
  const fraction = new Float32Array(pixels)
  for (let i = 0; i < pixels; i++) {
    const at = Math.min(i * perPixel + offset, nodes - 1)
    index[i] = Math.min(Math.floor(at), nodes - 2)
    fraction[i] = at - index[i]!
  }
  return { index, fraction }
}

/**
 * Gaussian blur of a value per node by three box means, whose cost does not depend on the width; edges use only the
 * values inside.
 */
export function smoothNodes(grid: NodeGrid, values: Float32Array, sigma: number): Float32Array {
  const radii = boxRadii(sigma)
  let current = values
  for (const radius of radii) {
    if (radius === 0) continue
    current = boxMean(current, grid.ny, grid.nx, grid.nx, 1, radius)
    current = boxMean(current, grid.nx, grid.ny, 1, grid.nx, radius)
  }
  return current === values ? Float32Array.from(values) : current
}

/** Radii of three box means whose combined variance is closest to sigma squared in whole pixels. */
function boxRadii(sigma: number): number[] {
  const ideal = Math.sqrt((12 * sigma * sigma) / 3 + 1)
  let lower = Math.floor(ideal)
  if (lower % 2 === 0) lower--
  const count = Math.round((12 * sigma * sigma - 3 * lower * lower - 12 * lower - 9) / (-4 * lower - 4))
  return [0, 1, 2].map((pass) => ((pass < count ? lower : lower + 2) - 1) / 2)
}

function boxMean(
  values: Float32Array,
  lines: number,
  length: number,
  lineStride: number,
  stride: number,
  radius: number,
): Float32Array {
  const out = new Float32Array(values.length)
  for (let line = 0; line < lines; line++) {
    const start = line * lineStride
    let sum = 0
    for (let i = 0; i < Math.min(radius, length); i++) sum += values[start + i * stride]!
    for (let i = 0; i < length; i++) {
      if (i + radius < length) sum += values[start + (i + radius) * stride]!
      if (i - radius - 1 >= 0) sum -= values[start + (i - radius - 1) * stride]!
      out[start + i * stride] = sum / (2 * radius + 1)
    }
  }
  return out
}
