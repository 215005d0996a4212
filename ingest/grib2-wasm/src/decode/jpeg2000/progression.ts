import type { ImageTile, Precinct, Resolution } from './layout.ts'
import type { Progression } from './markers.ts'

/**
 * Yields the packets of one progression (annex B.12): each packet is one layer of a precinct. There is only one component. A precinct
 * counts the layers that were read; packets of an earlier progression are skipped.
 */
function* orderOf(
  resolutions: readonly Resolution[],
  { progression, layers }: Progression,
): Generator<readonly [layer: number, precinct: Precinct]> {
  const byLayer = function* (parts: readonly Resolution[]) {
    // A tile may be empty although its header declares 65535 layers.
    if (!parts.some(({ precincts }) => precincts.length > 0)) return
    for (let layer = 0; layer < layers; layer++) {
      for (const { precincts } of parts) {
        for (const precinct of precincts) if (precinct.layersRead <= layer) yield [layer, precinct] as const
      }
    }
  }
  if (progression === 0) {
    yield* byLayer(resolutions)
    return
  }
  if (progression === 1) {
    for (const resolution of resolutions) yield* byLayer([resolution])
    return
  }
  const precincts = resolutions.flatMap((resolution) => resolution.precincts)
  // Orders precincts by position across resolutions (3, 4). Within a resolution (2) they are already in this order. Sorting is stable in resolution.
  if (progression > 2) precincts.sort((a, b) => a.y - b.y || a.x - b.x)
  for (const precinct of precincts) {
    for (let layer = precinct.layersRead; layer < layers; layer++) yield [layer, precinct]
  }
}

/** Yields all packets of a tile in the order of the codestream. */
export function* packetOrder(tile: ImageTile): Generator<readonly [layer: number, precinct: Precinct]> {
  const { order, progressions, resolutions } = tile
  if (progressions.length === 0) {
    const { progression, layers } = order
    yield* orderOf(resolutions, { progression, layers, firstResolution: 0, resolutions: resolutions.length })
    return
  }
  for (const part of progressions) {
    const layers = Math.min(part.layers, order.layers)
    yield* orderOf(resolutions.slice(part.firstResolution, part.resolutions), { ...part, layers })
  }
}
