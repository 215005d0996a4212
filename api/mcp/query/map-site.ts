import { isoSeconds } from '../../../ingest/domain/time.ts'
import { radarProductOf, radarProducts } from '../../../ingest/domain/weather/radar-scan.ts'
import { radarById } from '../../../ingest/geo/site.ts'
import { scansOf } from '../../live/radar-sites.ts'
import { boxOf } from '../../picture/radar.ts'
import { sitePalette } from '../../picture/site-colours.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import { TIME_TOLERANCE_MS } from './map-frame.ts'
import type { GatheredLayer, LayerOptions } from './map-layer.ts'

/** Returns a layer with the newest scan of a single radar, such as `nexrad_l3:FTG:N0B`. @throws ToolError not-found, no-data */
export async function siteLayer(
  { deps: { radar } }: ToolContext,
  requested: string,
  { view, time, opacity }: LayerOptions,
): Promise<GatheredLayer> {
  const [, id = '', name = 'N0B'] = requested.split(':')
  const [site, product] = [radarById(id), radarProductOf(name)]
  const known = radarProducts.map(({ mnemonic, title }) => `${mnemonic} (${title})`).join(', ')
  if (!site || !product)
    throw new ToolError(
      'not-found',
      site ? `No product of single radars is called "${name}"; products are ${known}.` : `No radar is called "${id}".`,
      'name a radar and a product, as nexrad_l3:FTG:N0B; search_locations gives the nearest radar.',
      { field: 'product', got: requested },
    )
  const scan = (await scansOf(radar, site)).find(({ mnemonic }) => mnemonic === product.mnemonic)
  if (!scan || (time !== undefined && Math.abs(time - scan.time) > TIME_TOLERANCE_MS))
    throw new ToolError(
      'no-data',
      scan
        ? `Only the newest scan of ${site.id} is stored, of ${isoSeconds(scan.time)}.`
        : `No scan of ${site.id} from the last 40 minutes is stored; this does not mean that it is dry there.`,
      scan
        ? 'leave time out, or use mrms-reflectivity for earlier times.'
        : 'use product mrms-reflectivity, the national mosaic.',
      { field: scan ? 'time' : 'product', got: requested },
    )
  const frame = await radar.scan(scan.key)
  const size = { width: view.width, height: view.height }
  const palette = sitePalette(product)
  const part = await frame.pick([boxOf(frame.head.grid, view.bbox, size, 0)])
  return {
    type: 'weather',
    product: `nexrad_l3:${site.id}:${product.mnemonic}`,
    valid_time: isoSeconds(scan.time),
    layer: { kind: 'frames', parts: [{ part, steps: 0 }], palette, opacity, marksUnseen: true },
    palette,
  }
}
