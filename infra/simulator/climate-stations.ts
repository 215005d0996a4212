/** The stations of the simulated climate: a lattice of stations with normals, and named stations with daily reports. */

export interface NormalsStation {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly lat: number
  readonly lon: number
  readonly elevation: number
  /** Whether the station has normals of temperature. Two thirds of the real stations measure only precipitation. */
  readonly temperatures: boolean
}

const regions = [
  { state: 'US', south: 25, west: -124, rows: 21, columns: 49, step: 1.2 },
  { state: 'AK', south: 53, west: -169, rows: 8, columns: 17, step: 2.4 },
  { state: 'HI', south: 19, west: -160, rows: 6, columns: 9, step: 0.6 },
] as const

export const normalsStations: readonly NormalsStation[] = regions.flatMap(
  ({ state, south, west, rows, columns, step }, r) =>
    Array.from({ length: rows * columns }, (_, n) => {
      const row = Math.floor(n / columns)
      const column = n % columns
      const temperatures = (row + column) % 2 === 0
      const number = String((r + 1) * 10_000 + n).padStart(8, '0')
      return {
        id: `${temperatures ? 'USW' : 'USC'}${number}`,
        name: `SIMULATED ${state} ${n}`,
        state: state === 'US' ? 'KS' : state,
        lat: Math.round((south + row * step) * 1e4) / 1e4,
        lon: Math.round((west + column * step) * 1e4) / 1e4,
        elevation: 100 + (n % 17) * 10,
        temperatures,
      }
    }),
)

export interface ReportStation {
  /** AWIPS code. */
  readonly code: string
  readonly name: string
  readonly place: string
  readonly office: string
  readonly region: string
  readonly timezone: string
  readonly lat: number
  readonly lon: number
}

const station = (
  code: string,
  name: string,
  place: string,
  office: string,
  region: string,
  timezone: string,
  lat: number,
  lon: number,
): ReportStation => ({ code, name, place, office, region, timezone, lat, lon })

export const reportStations: readonly ReportStation[] = [
  station('BOS', 'BOSTON MA', 'Boston', 'KBOX', '41', 'America/New_York', 42.3606, -71.0097),
  station('NYC', 'CENTRAL PARK NY', 'New York City', 'KOKX', '41', 'America/New_York', 40.7789, -73.9692),
  station('DCA', 'WASHINGTON NATIONAL DC', 'Washington', 'KLWX', '41', 'America/New_York', 38.8472, -77.0345),
  station('MIA', 'MIAMI FL', 'Miami', 'KMFL', '42', 'America/New_York', 25.7881, -80.3169),
  station('ATL', 'ATLANTA GA', 'Atlanta', 'KFFC', '42', 'America/New_York', 33.6301, -84.4418),
  station('ORD', 'CHICAGO-OHARE', 'Chicago', 'KLOT', '43', 'America/Chicago', 41.9602, -87.9316),
  station('DSM', 'DES MOINES IA', 'Des Moines', 'KDMX', '43', 'America/Chicago', 41.534, -93.653),
  station('OKC', 'OKLAHOMA CITY', 'Oklahoma City', 'KOUN', '44', 'America/Chicago', 35.3889, -97.6006),
  station('HOU', 'HOUSTON HOBBY', 'Houston', 'KHGX', '44', 'America/Chicago', 29.6458, -95.2821),
  station('DEN', 'DENVER CO', 'Denver', 'KBOU', '45', 'America/Denver', 39.8467, -104.6562),
  station('PHX', 'PHOENIX AZ', 'Phoenix', 'KPSR', '45', 'America/Phoenix', 33.4278, -112.0038),
  station('SEA', 'SEATTLE', 'Seattle', 'KSEW', '46', 'America/Los_Angeles', 47.4447, -122.3144),
  station('LAX', 'LOS ANGELES', 'Los Angeles', 'KLOX', '46', 'America/Los_Angeles', 33.938, -118.3888),
  station('ANC', 'ANCHORAGE AK', 'Anchorage', 'PAFC', '48', 'America/Anchorage', 61.169, -150.0278),
  station('HNL', 'HONOLULU HI', 'Honolulu', 'PHFO', '52', 'Pacific/Honolulu', 21.324, -157.9294),
]
