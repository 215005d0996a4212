/** Clients of other services, from npm and PyPI. Each program prints the present temperature at Denver in °C, and what else it read. */
export interface OutsideClient {
  readonly registry: 'npm' | 'PyPI'
  /** Name and version. */
  readonly package: string
  /** File in `programs`. */
  readonly program: string
  /** Constants in the installed package that hold the host, where it cannot be given: what is replaced by this server. */
  readonly hosts?: Readonly<Record<string, (base: string) => string>>
  /** `now` for the temperature of `current`, `hour` for that of the running hour rounded to degrees. */
  readonly reads: 'now' | 'hour'
}

const darkSky = (base: string) => `${base}/pirate-weather/forecast`
const bare = (base: string) => base.replace('http://', '')

export const outsideClients: readonly OutsideClient[] = [
  { registry: 'npm', package: 'openmeteo@1.2.3', program: 'openmeteo.mjs', reads: 'now' },
  {
    registry: 'npm',
    package: 'dark-sky@1.1.5',
    program: 'dark-sky.cjs',
    hosts: { 'https://api.darksky.net/forecast': darkSky },
    reads: 'now',
  },
  { registry: 'PyPI', package: 'openmeteo-requests==1.7.5', program: 'openmeteo_requests.py', reads: 'now' },
  {
    registry: 'PyPI',
    package: 'open-meteo==1.0.1',
    program: 'open_meteo.py',
    hosts: { 'https://api.open-meteo.com': (base) => `${base}/open-meteo` },
    reads: 'now',
  },
  {
    registry: 'PyPI',
    package: 'python-pirateweather==1.4.0',
    program: 'pirateweather.py',
    hosts: { 'https://api.pirateweather.net/forecast': darkSky },
    reads: 'now',
  },
  {
    registry: 'PyPI',
    package: 'python-forecastio==1.4.0',
    program: 'forecastio.py',
    hosts: { 'https://api.darksky.net/forecast': darkSky },
    reads: 'now',
  },
  {
    registry: 'PyPI',
    package: 'noaa-sdk==0.1.21',
    program: 'noaa_sdk.py',
    hosts: { "'https://{}/{}'": () => "'http://{}{}'", 'api.weather.gov': (base) => `${bare(base)}/nws` },
    reads: 'hour',
  },
  {
    registry: 'PyPI',
    package: 'weather-gov==0.2',
    program: 'weather_gov.py',
    hosts: { 'https://api.weather.gov': (base) => `${base}/nws` },
    reads: 'hour',
  },
]

/** Clients that could not be obtained, and what stands in for them. */
export const substitutes: readonly string[] = [
  'RainViewer: neither registry has a client; its documented addresses are read in test/walks/radar.test.ts',
  'pvlib: its readers take none of these formats; open-meteo stands in',
  'Home Assistant integrations: test/clients/home-assistant.test.ts has ours; theirs have fixed hosts and are not run here',
]
