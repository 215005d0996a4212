/** Clients of other services, from npm and PyPI. Each program prints the present temperature at Denver in °C, and what else it read. */
export interface OutsideClient {
  readonly registry: 'npm' | 'PyPI'
  /** Name and version. */
  readonly package: string
  /** File in `programs`. */
  readonly program: string
  /** Constants in the installed package that hold the host, where it cannot be given: what is replaced by this server. */
  readonly hosts?: Readonly<Record<string, (base: string) => string>>
  /** `now` for the temperature of `current`, `hour` for that of the running hour rounded to degrees, `tiles` for a map in a browser. */
  readonly reads: 'now' | 'hour' | 'tiles'
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
  { registry: 'PyPI', package: 'nws-api-client==0.13.1', program: 'nws_api_client.py', reads: 'hour' },
  {
    registry: 'PyPI',
    package: 'pynws==2.1.0',
    program: 'pynws.py',
    hosts: { 'https://api.weather.gov/': (base) => `${base}/nws/` },
    reads: 'hour',
  },
  {
    registry: 'PyPI',
    package: 'pirateweather==1.0.1',
    program: 'pirate_weather.py',
    hosts: { 'https://api.pirateweather.net/forecast': darkSky },
    reads: 'now',
  },
  { registry: 'npm', package: 'leaflet@1.9.4', program: 'leaflet.html', reads: 'tiles' },
]

/** Clients that could not be obtained or do not pass, and what stands in for them. */
export const substitutes: readonly string[] = [
  'RainViewer: neither registry has a client; Leaflet reads its addresses as its own example does',
  'pvlib: its readers take none of these formats; open-meteo stands in',
  "Home Assistant's nws and open_meteo: test/clients/home-assistant.test.ts runs them with HOME_ASSISTANT_PYTHON; pynws and open-meteo stand in",
  'truewire-weather-gov: nws-api-client stands in',
]
