import { SUN_HORIZON, skyAt } from '../../../ingest/domain/sky/sky.ts'
import { wordsOf } from '../../../ingest/domain/weather/conditions.ts'
import type { Observation, SkyLayer } from '../../../ingest/domain/weather/observation.ts'
import {
  FREEZING_RAIN,
  ICE_PELLETS,
  NONE,
  precipTypes,
  RAIN,
  SNOW,
  UNKNOWN,
  WINTRY_MIX,
} from '../../../ingest/domain/weather/precip-type.ts'
import { iconOf } from './nws-periods.ts'

/** Cloud cover of a layer, percent: the middle of its eighths. */
const covers: Readonly<Record<SkyLayer['cover'], number>> = {
  CLR: 0,
  FEW: 20,
  SCT: 44,
  BKN: 75,
  OVC: 100,
  VV: 100,
  '///': Number.NaN,
}
/** Amount that stands for the intensity of a report, mm of liquid; snow of 2.5 mm is heavy. */
const amounts = { light: 0.5, moderate: 4, heavy: 10 } as const
const MODERATE_SNOW = 2

/** Codes of present weather (FMH-1, table 12-1) as api.weather.gov spells them. */
const phenomena: Readonly<Record<string, string>> = {
  ...{ RA: 'rain', DZ: 'drizzle', SN: 'snow', SG: 'snow_grains', IC: 'ice_crystals', PL: 'ice_pellets' },
  ...{ GR: 'hail', GS: 'snow_pellets', UP: 'unknown', BR: 'fog_mist', FG: 'fog', FU: 'smoke', VA: 'volcanic_ash' },
  ...{ DU: 'dust', SA: 'sand', HZ: 'haze', PY: 'spray', PO: 'dust_whirls', SQ: 'squalls', FC: 'funnel_cloud' },
  ...{ SS: 'sand_storm', DS: 'dust_storm', TS: 'thunderstorms' },
}

export interface WeatherGroup {
  readonly intensity: 'light' | 'heavy' | null
  readonly weather: string
  readonly rawString: string
}

/** Returns words and icon for a report, and its groups of present weather. @param humidity percent */
export function observedWords(
  report: Observation,
  humidity: number | null,
): { conditions: string; icon: string | null; present: WeatherGroup[] } {
  const groups = report.weather.filter((group) => !/^(?:VC|RE)/.test(group))
  const present = groups.flatMap((group): WeatherGroup[] => {
    const intensity = group.startsWith('-') ? 'light' : group.startsWith('+') ? 'heavy' : null
    const code = Object.keys(phenomena).find((name) => group.includes(name))
    return code ? [{ intensity, weather: phenomena[code] ?? 'unknown', rawString: group }] : []
  })
  const type = typeOf(groups.join(' '))
  const isDay = skyAt(report.lat, report.lon).sun(report.observedAt) > SUN_HORIZON
  const layers = report.layers?.map(({ cover }) => covers[cover]).filter((cover) => !Number.isNaN(cover))
  const strength = groups.some((group) => group.startsWith('+'))
    ? 'heavy'
    : groups.some((group) => group.startsWith('-'))
      ? 'light'
      : 'moderate'
  const words = wordsOf({
    cloudCover: layers && layers.length > 0 ? Math.max(...layers) : Number.NaN,
    precipProbability: Number.NaN,
    precipAmount: type === NONE ? 0 : type === SNOW && strength === 'moderate' ? MODERATE_SNOW : amounts[strength],
    precipType: type,
    thunder: groups.some((group) => group.includes('TS')) ? 100 : 0,
    cape: Number.NaN,
    visibility: report.visibility ?? Number.NaN,
    humidity: humidity ?? Number.NaN,
    smoke: groups.some((group) => group.includes('FU')) ? 1 : Number.NaN,
    windSpeed: report.windSpeed ?? Number.NaN,
    day: isDay,
    observed: true,
  })
  if (!words) return { conditions: '', icon: null, present }
  const { conditions, icon } = words
  return { conditions, icon: iconOf({ icon, conditions, precip_type: precipTypes[type] }, isDay, 'medium'), present }
}

function typeOf(groups: string): number {
  const [hasRain, hasSnow] = [/RA|DZ/.test(groups), /SN|SG/.test(groups)]
  if (hasRain && groups.includes('FZ')) return FREEZING_RAIN
  if (hasRain && hasSnow) return WINTRY_MIX
  if (hasSnow) return SNOW
  if (groups.includes('PL')) return ICE_PELLETS
  if (hasRain) return RAIN
  return groups.includes('UP') ? UNKNOWN : NONE
}
