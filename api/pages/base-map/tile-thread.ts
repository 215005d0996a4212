import { gzipSync } from 'node:zlib'
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { once } from '../../../ingest/geo/table.ts'
import { baseLayers, COUNTY_ZOOM } from './layers.ts'

const EXTENT = 4096

/** Indexes of all layers; the first use takes 0.7 s. */
const indexes = once(() =>
  Object.entries(baseLayers()).map(([name, data]) => ({
    name,
    index: new GeoJSONVT(data, { maxZoom: 9, indexMaxZoom: 4, tolerance: 4, extent: EXTENT, buffer: 64 }),
  })),
)

/** Makes one vector tile (MVT 2), compressed with gzip. */
export default function makeTile({ z, x, y }: { z: number; x: number; y: number }): Uint8Array {
  const layers: Record<string, GeoJSONVTTile> = {}
  for (const { name, index } of indexes()) {
    if (name === 'counties' && z < COUNTY_ZOOM) continue
    const tile = index.getTile(z, x, y)
    if (!tile) continue
    const features =
      name === 'places'
        ? tile.features.filter(
            (town: { tags?: Readonly<Record<string, unknown>> | null }) => Number(town.tags?.['zoom']) <= z + 1,
          )
        : tile.features
    if (features.length > 0) layers[name] = { ...tile, features }
  }
  return gzipSync(fromGeojsonVt(layers, { version: 2, extent: EXTENT }), { level: 9 })
}
