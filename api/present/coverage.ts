import { isoSeconds } from '../../ingest/domain/time.ts'

/** Values at one point, at one or several times. */
export interface PointCoverage {
  readonly lat: number
  readonly lon: number
  readonly times: readonly number[]
  readonly data: Readonly<Record<string, readonly (number | null)[]>>
}

/** What a variable is: its unit as a label, and a name by the CF conventions where it has one. */
export interface CoverageParameter {
  readonly name: string
  readonly unit: string
  readonly description: string
  readonly standardName?: string | null
}

/** UCUM codes of our labels. */
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
  },
}

/** CoverageJSON: one coverage a point, of the domain PointSeries. */
export function coverageCollection(points: readonly PointCoverage[], parameters: readonly CoverageParameter[]): object {
  return {
    type: 'CoverageCollection',
    domainType: 'PointSeries',
    parameters: Object.fromEntries(parameters.map((one) => [one.name, parameterOf(one)])),
    referencing: [
      {
        coordinates: ['x', 'y'],
        system: { type: 'GeographicCRS', id: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' },
      },
      { coordinates: ['t'], system: { type: 'TemporalRS', calendar: 'Gregorian' } },
    ],
    coverages: points.map(({ lat, lon, times, data }) => ({
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
    })),
  }
}

function parameterOf({ name, unit, description, standardName }: CoverageParameter): object {
  return {
    type: 'Parameter',
    description: { en: description },
    unit: {
      label: { en: unit || '1' },
      symbol: { type: 'http://www.opengis.net/def/uom/UCUM/', value: ucum[unit] ?? unit },
    },
    observedProperty: {
      label: { en: name },
      ...(standardName && { id: `http://vocab.nerc.ac.uk/standard_name/${standardName}/` }),
    },
  }
}
