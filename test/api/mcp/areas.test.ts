import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFrame, stateOfCode } from '../../../ingest/tile/frame-read.ts'
import { storedRuns } from '../../../sql/queries/runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

/** The dataset tools: every id of the catalog, radar at points and in boxes, and statistics over areas on the native cells. */
let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer()
})
afterAll(async () => sky.close())

const call = (name: string, args: object) =>
  sky.client.callTool({ name, arguments: args as Record<string, unknown> }) as unknown as Promise<Result>
const textOf = (result: Result) => result.content.find(({ type }) => type === 'text')?.text ?? ''
interface Table {
  readonly columns: readonly { readonly name: string; readonly unit: string | null }[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  readonly points: readonly object[]
  readonly reference_times: Readonly<Record<string, string>>
}
async function query(args: object): Promise<Table & { row(i?: number): Record<string, string | number | null> }> {
  const result = await call('query_dataset', args)
  expect(result.isError, textOf(result)).toBeFalsy()
  const table = result.structuredContent as unknown as Table
  return {
    ...table,
    row: (i = 0) => Object.fromEntries(table.columns.map(({ name }, k) => [name, table.rows[i]?.[k] ?? null])),
  }
}

describe('the list', () => {
  test('names every product of the catalog, the tool for it, and its map product', async () => {
    const { products } = (await (
      await fetch(`${sky.base}/v1/catalog`, { headers: { authorization: `Bearer ${sky.key}` } })
    ).json()) as { products: { product_id: string }[] }
    const { datasets } = (await call('list_datasets', {})).structuredContent as {
      datasets: { dataset_id: string; queryable: boolean; use_tool: string | null; map_product: string | null }[]
    }
    const ids = datasets.map(({ dataset_id }) => dataset_id)
    expect(ids).toEqual([...new Set(ids)])
    expect(products.length).toBeGreaterThan(20)
    for (const { product_id } of products) expect(ids).toContain(product_id)
    for (const { queryable, use_tool, dataset_id } of datasets) expect(queryable || use_tool, dataset_id).toBeTruthy()
    for (const product of new Set(datasets.map(({ map_product }) => map_product))) {
      if (!product || product.endsWith(':VARIABLE')) continue
      const map = await call('get_map_snapshot', { location: 'Norman, OK', product, width: 300, height: 200 })
      const code = map._meta?.['hexcast/error']?.['code']
      expect([undefined, 'no-data'], `${product}: ${textOf(map)}`).toContain(code)
    }
  })
})

test('rejects names of object members as products, crops and datasets', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'valueOf:x'])
    for (const [tool, input] of [
      ['get_map_snapshot', { location: 'Norman, OK', product: name }],
      ['get_growing_degree_days', { location: 'Norman, OK', crop: name, start_date: '2026-04-01' }],
      ['describe_dataset', { dataset_id: name }],
    ] as const) {
      const result = await call(tool, input)
      expect(result._meta?.['hexcast/error'], `${tool} ${name}: ${textOf(result)}`).toBeDefined()
    }
})

describe('radar as a table', () => {
  const [west, south, east, north] = [-98, 35, -96, 37] as const

  test('has the values of get_radar at a point, and names a product that is not stored', async () => {
    const radar = (await call('get_radar', { location: 'Tulsa, OK' })).structuredContent as {
      radar: { reflectivity_dbz: number | null; valid_time: string; coverage: string }
    }
    const table = await query({
      dataset_id: 'mrms',
      variables: ['reflectivity_dbz', 'precip_rate'],
      location: 'Tulsa, OK',
      hours: 1,
    })
    const row = table.rows.find(([, time]) => time === radar.radar.valid_time)
    const expected = radar.radar.coverage === 'dry' ? 0 : radar.radar.reflectivity_dbz
    if (row) expect(row[2]).toBe(expected)
    else expect(table.rows.length).toBeGreaterThan(0)
    expect(table.columns.map(({ unit }) => unit)).toEqual([null, null, 'dBZ', 'in/h'])
    expect(Object.keys(table.reference_times)).toEqual(['reflectivity_dbz'])
    const words = textOf(
      await call('query_dataset', {
        dataset_id: 'mrms',
        variables: ['reflectivity_dbz', 'precip_rate'],
        location: 'Tulsa, OK',
      }),
    )
    expect(words).toContain('no frame of precip_rate is stored')
  })

  test('has the statistics of the pixels in a box', async () => {
    const rows = (await storedRuns(sky.database, 'mrms-reflectivity')).filter(
      ({ domain, state }) => domain === 'conus' && state === 'published',
    )
    let [cells, highest, sum, values] = [0, Number.NEGATIVE_INFINITY, 0, 0]
    for (const { manifest_key } of rows) {
      const frame = await openFrame(sky.objects, manifest_key as string)
      const { grid } = frame.head
      const view = await frame.load([{ left: 0, top: 0, right: grid.nx - 1, bottom: grid.ny - 1 }])
      cells = 0
      for (let y = 0; y < grid.ny; y++)
        for (let x = 0; x < grid.nx; x++) {
          const [lat, lon] = [grid.north - y * grid.dLat, grid.west + x * grid.dLon]
          if (lon < west || lon > east || lat < south || lat > north) continue
          const code = view.code(x, y)
          if (stateOfCode(code) === 'no_coverage') continue
          cells++
          const value = stateOfCode(code) === 'dry' ? 0 : frame.value(code)
          highest = Math.max(highest, value)
          sum += value
          values++
        }
    }
    expect(cells).toBeGreaterThan(100)
    const row = (
      await query({
        dataset_id: 'mrms-reflectivity',
        variables: ['reflectivity_dbz'],
        bbox: [west, south, east, north],
        aggregate: { over: 'area', functions: ['max', 'mean', 'count', 'argmax'] },
      })
    ).row()
    expect(row['cells']).toBe(cells)
    expect(row['reflectivity_dbz_count']).toBe(values)
    expect(row['reflectivity_dbz_max']).toBeCloseTo(highest, 1)
    expect(row['reflectivity_dbz_mean']).toBeCloseTo(sum / values, 1)
    const [lat, lon] = [row['reflectivity_dbz_argmax_lat'] as number, row['reflectivity_dbz_argmax_lon'] as number]
    const highestPoint = await query({ dataset_id: 'mrms-reflectivity', variables: ['reflectivity_dbz'], lat, lon })
    expect(highestPoint.rows.find(([, time]) => time === row['reflectivity_dbz_argmax_time'])?.[2]).toBeCloseTo(
      highest,
      1,
    )
    expect(row['reflectivity_dbz_argmax_place']).toMatch(/, OK$|, KS$/)
  })
})

describe('model runs over areas', () => {
  test('have the same cells in a polygon as in its box', async () => {
    const [west, south, east, north] = [-105.2, 39.5, -104.9, 39.8]
    const args = { dataset_id: 'nbm', variables: ['temperature'], hours: 6 }
    const listed = await query({ ...args, bbox: [west, south, east, north], resolution: 7, limit: 5000 })
    const values = listed.rows.map((row) => row[2] as number)
    expect(values.length).toBeGreaterThan(500)
    const polygon = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ]
    const functions = ['min', 'max', 'median', 'count', 'argmin']
    const table = await query({ ...args, polygon, aggregate: { functions } })
    const row = table.row()
    expect(table.points).toEqual([])
    expect(row['cells']).toBe(listed.points.length)
    expect(row['temperature_count']).toBe(values.length)
    expect(row['temperature_min']).toBe(Math.min(...values))
    expect(row['temperature_max']).toBe(Math.max(...values))
    const sorted = [...values].sort((a, b) => a - b)
    expect(row['temperature_median']).toBeCloseTo(
      sorted.slice((values.length >> 1) - 1, (values.length >> 1) + 1).reduce((a, b) => a + b, 0) / 2,
      0,
    )
    const coldestTimes = listed.rows.filter(([, , value]) => value === row['temperature_min']).map(([, time]) => time)
    expect(coldestTimes).toContain(row['temperature_argmin_time'])
  })

  test('have the cells of its counties in a state, a row for each area and time, and filters on cells', async () => {
    const args = { dataset_id: 'nbm', variables: ['temperature'], hours: 2 }
    const functions = ['min', 'max']
    const counties = ['Bristol', 'Kent', 'Newport', 'Providence', 'Washington'].map((name) => `${name} County, RI`)
    const table = await query({ ...args, areas: ['RI', ...counties], aggregate: { over: 'area', functions } })
    const [state = [], ...parts] = table.rows
    expect(table.rows.map(([name]) => name)).toEqual(['Rhode Island', ...counties])
    expect(parts.reduce((sum, [, cells]) => sum + Number(cells), 0)).toBe(state[1])
    expect(Math.min(...parts.map((row) => row[2] as number))).toBe(state[2])
    expect(Math.max(...parts.map((row) => row[3] as number))).toBe(state[3])
    const hours = await query({ ...args, areas: ['RI', 'Bristol County, RI'], aggregate: { over: 'space', functions } })
    expect(hours.rows.map(([name]) => name)).toEqual([
      'Rhode Island',
      'Rhode Island',
      'Bristol County, RI',
      'Bristol County, RI',
    ])
    const middle = ((state[2] as number) + (state[3] as number)) / 2
    const filters = [{ variable: 'temperature', op: 'gt', value: middle }]
    const warm = (await query({ ...args, areas: ['RI'], filters, aggregate: { functions } })).row()
    expect(warm['cells_unfiltered']).toBe(state[1])
    expect(warm['cells']).toBeGreaterThan(0)
    expect(warm['cells']).toBeLessThanOrEqual(Number(state[1]))
    expect(warm['temperature_min']).toBeGreaterThan(middle)
  })

  test('have the stations of a state as cells', async () => {
    const row = (
      await query({
        dataset_id: 'metar',
        variables: ['temperature'],
        areas: ['CO'],
        hours: 3,
        aggregate: { functions: ['max', 'argmax', 'count'] },
      })
    ).row()
    expect(row['cells']).toBeGreaterThan(10)
    expect(row['temperature_argmax_place']).toMatch(/, CO$/)
  })

  test.each([
    [{ areas: ['Tulza County, OK'] }, 'not-found', /Tulsa County, OK/],
    [{ areas: ['OKZ999'] }, 'not-found', /no county or zone/i],
    [
      {
        polygon: [
          [39, -105],
          [40, -105],
          [40, -104],
        ],
      },
      'bad-request',
      /longitude/,
    ],
    [
      {
        polygon: [
          [1, 50],
          [2, 50],
          [2, 51],
        ],
      },
      'outside-coverage',
      /50 US states/,
    ],
    [{ areas: ['CO'], location: 'Denver, CO' }, 'bad-request', /exactly one/],
    [{ areas: ['CO'], aggregate: { over: 'day', functions: ['max'] } }, 'bad-request', /area, space or all/],
    [{ areas: ['CO'], aggregate: undefined }, 'bad-request', /needs aggregate/],
    [{ areas: ['CO'], dataset_id: 'blend' }, 'bad-request', /no native cells/],
  ])('reject %j as %s', async (args, code, words) => {
    const result = await call('query_dataset', {
      dataset_id: 'nbm',
      variables: ['temperature'],
      aggregate: { functions: ['max'] },
      ...args,
    })
    expect(result._meta?.['hexcast/error']?.['code'], textOf(result)).toBe(code)
    expect(textOf(result)).toMatch(words)
  })

  test('are read at the centres of coarser cells', async () => {
    const args = { dataset_id: 'nbm', variables: ['temperature'], areas: ['OK'], hours: 1 }
    const coarse = (await query({ ...args, resolution: 4, aggregate: { functions: ['max'] } })).row()
    expect(coarse['cells']).toBeGreaterThan(70)
    expect(coarse['cells']).toBeLessThan(140)
  })
})
