import { isoSeconds } from '../../ingest/domain/time.ts'
import { longJson } from './long-json.ts'
import type { Pause } from './table.ts'

/** Values at one point, at one or several times. */
export interface PointCoverage {
  readonly lat: number
  readonly lon: number
  readonly times: readonly number[]
  readonly data: Readonly<Record<string, readonly (number | null)[]>>
}

/** A variable: its unit as a label, and its name in the CF conventions if it has one. */
export interface CoverageParameter {
  readonly name: string
  readonly unit: string
  readonly description: string
  readonly standardName?: string | null
}

/** UCUM codes by label of the unit. */
const ucum: Readonly<Record<string, string>> = {
  ...{ F: '[degF]', C: 'Cel', mph: '[mi_i]/h', kph: 'km/h', inHg: "[in_i'Hg]", hPa: 'hPa', mi: '[mi_i]', km: 'km' },
  ...{
    in: '[in_i]',
    mm: 'mm',
    ft: '[ft_i]',
    m: 'm',
    '%': '%',
    degrees: 'deg',
    'W/m^2': 'W/m2',
    'J/kg': 'J/kg',
    '': '1',
    index: '1',
    code: '1',
    dBZ: 'dB[Z]',
    'in/h': '[in_i]/h',
    'strikes/km2/min': '/km2/min',
  },
}

/** The UCUM code of a label. */
export const ucumOf = (label: string): string => ucum[label] ?? label

const referencing = [
  {
    coordinates: ['x', 'y'],
    system: { type: 'GeographicCRS', id: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' },
  },
  { coordinates: ['t'], system: { type: 'TemporalRS', calendar: 'Gregorian' } },
]

const parametersOf = (list: readonly CoverageParameter[]) =>
  Object.fromEntries(list.map((parameter) => [parameter.name, parameterOf(parameter)]))

/**
 * CoverageJSON with one coverage of the domain PointSeries for each point.
 * @param more additional members of the collection
 */
export function coverageCollection(
  points: Iterable<PointCoverage>,
  parameters: readonly CoverageParameter[],
  pause: Pause,
  more: object = {},
): Promise<Buffer> {
  const head = { type: 'CoverageCollection', domainType: 'PointSeries', parameters: parametersOf(parameters) }
  return longJson({ ...head, referencing, ...more }, 'coverages', coveragesOf(points, parameters), pause)
}

function* coveragesOf(points: Iterable<PointCoverage>, parameters: readonly CoverageParameter[]): Generator<object> {
  for (const { lat, lon, times, data } of points)
    yield {
      type: 'Coverage',
      domain: {
        type: 'Domain',
        domainType: 'PointSeries',
        axes: { x: { values: [lon] }, y: { values: [lat] }, t: { values: times.map(isoSeconds) } },
      },
      ranges: Object.fromEntries(
        parameters.map(({ name }) => [
          name,
          { type: 'NdArray', dataType: 'float', axisNames: ['t'], shape: [times.length], values: data[name] ?? [] },
        ]),
      ),
    }
}

/**
 * CoverageJSON with one coverage of the domain Grid.
 * @param points by index, row by row; points that are absent become null
 */
export async function gridCoverage(
  { x, y }: { readonly x: readonly number[]; readonly y: readonly number[] },
  points: ReadonlyMap<number, PointCoverage>,
  parameters: readonly CoverageParameter[],
  pause: Pause,
): Promise<Buffer> {
  const times = [...new Set([...points.values()].flatMap((point) => point.times))].sort((a, b) => a - b)
  const rows = new Map(times.map((time, i) => [time, i]))
  const shape = [times.length, y.length, x.length]
  const columns = x.length * y.length
  const ranges: [string, object][] = []
  for (const { name } of parameters) {
    const values = new Array<number | null>(times.length * columns).fill(null)
    for (const [index, point] of points) {
      await pause()
      for (const [i, time] of point.times.entries())
        values[(rows.get(time) ?? 0) * columns + index] = point.data[name]?.[i] ?? null
    }
    ranges.push([name, { type: 'NdArray', dataType: 'float', axisNames: ['t', 'y', 'x'], shape, values }])
  }
  await pause()
  const coverage = {
    type: 'Coverage',
    domain: {
      type: 'Domain',
      domainType: 'Grid',
      axes: { x: { values: x }, y: { values: y }, t: { values: times.map(isoSeconds) } },
      referencing,
    },
    parameters: parametersOf(parameters),
    ranges: Object.fromEntries(ranges),
  }
  return Buffer.from(JSON.stringify(coverage))
}

function parameterOf({ name, unit, description, standardName }: CoverageParameter): object {
  return {
    type: 'Parameter',
    description: { en: description },
    unit: {
      label: { en: unit || '1' },
      symbol: { type: 'http://www.opengis.net/def/uom/UCUM/', value: ucumOf(unit) },
    },
    observedProperty: {
      label: { en: name },
      ...(standardName && { id: `http://vocab.nerc.ac.uk/standard_name/${standardName}/` }),
    },
  }
}
