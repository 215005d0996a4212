/**
 * Examples of the required parameters, which readers of the documentation try first and API checkers start with. Optional parameters have
 * no examples, because several of them exclude one another.
 */

/** Name, beginning of the path, example; the first matching row is used. */
const table: readonly (readonly [name: string, path: string, example: string])[] = [
  ['collection_id', '/edr/collections/{collection_id}/items', 'alerts'],
  ['collection_id', '/edr', 'nbm-conus'],
  ['collection_id', '/stac', 'nbm-conus'],
  ['instance_id', '/edr', 'latest'],
  ['location_id', '/edr', 'KDEN'],
  ['feature_id', '/edr', 'latest'],
  ['item_id', '/stac', 'nbm-conus-2026-08-20T12Z'],
  ['asset_name', '/stac', 'manifest'],
  ['dataset', '/zarr', 'nbm'],
  ['domain', '/zarr', 'conus'],
  ['run', '/zarr', '2026-08-20T12Z.h264-0f3a9c52'],
  ['array', '/zarr', 'temperature'],
  ['chunk', '/zarr', 'c.0.12'],
  ['coords', '/edr/collections/{collection_id}/area', 'POLYGON((-105 39,-104.8 39,-104.8 39.2,-105 39))'],
  [
    'coords',
    '/edr/collections/{collection_id}/instances/{instance_id}/area',
    'POLYGON((-105 39,-104.8 39,-104.8 39.2,-105 39))',
  ],
  ['coords', '/edr', 'POINT(-104.99 39.74)'],
  ['within', '/edr', '10'],
  ['bbox', '/edr', '-105,39.5,-104.5,40'],
  ['points', '/v1', '39.74,-104.99;21.31,-157.86'],
  ['variables', '/v1', 'temperature,wind_speed'],
  ['product_id', '/v1/catalog', 'nbm'],
  ['id', '/v1/radar/site', 'KFTG'],
  ['product', '/v1/radar/site', 'reflectivity'],
  ['product', '/v1/radar', 'mrms-reflectivity'],
  ['time', '/v1/radar', 'latest'],
  ['z', '/v1/radar', '5'],
  ['x', '/v1/radar', '6'],
  ['y', '/v1/radar', '12'],
  ['q', '/v1/geocode', 'Denver'],
  ['id', '/v1/webhooks', 'wh_3fJ2mQ0aXb9cD1eF'],
  ['Idempotency-Key', '/developer', '7f3a9c52-0d1e-4b8a-9f47-5f1c2d3e4a6b'],
  ['prefix', '/developer', 'hx_live_4fZrT0aQ'],
]

interface ExampleParameter {
  readonly name: string
  readonly required?: boolean
  readonly schema: { enum?: readonly unknown[]; examples?: readonly unknown[] }
}

/** Adds the example of every required parameter. @returns parameters without an example, as "method path name" */
export function giveExamples(paths: Readonly<Record<string, Readonly<Record<string, object>>>>): string[] {
  const without: string[] = []
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { parameters = [] }] of Object.entries(operations) as [
      string,
      { parameters?: ExampleParameter[] },
    ][])
      for (const { name, required, schema } of parameters) {
        if (!required || schema.enum) continue
        const row = table.find(([parameter, start]) => parameter === name && path.startsWith(start))
        if (row) schema.examples = [row[2]]
        else without.push(`${method} ${path} ${name}`)
      }
  return without
}
