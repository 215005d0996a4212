import { precipTypes } from '../../ingest/domain/precip-type.ts'
import { floorTo, HOUR, MINUTE } from '../../ingest/domain/time.ts'
import type { MetaWarning } from '../contract.ts'
import { instantText, shown } from '../present/text.ts'
import { currentNumbers } from './current-numbers.ts'
import { type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { overlaps, severeAlerts } from './severe.ts'
import { tolerant, type Values, weatherNow } from './weather-now.ts'

const AIR_QUALITY = ['aqi', 'aqi_category', 'pm25', 'ozone', 'pm10']
/** What is imminent: within the hour. */
const IMMINENT_MS = HOUR

export const current: Section = {
  name: 'current',
  async build(context: SectionContext): Promise<SectionResult> {
    const unread: MetaWarning[] = []
    const [{ at, present, words, radar, lightning, warnings: of }, supplied, alerts] = await Promise.all([
      weatherNow(context),
      tolerant('air quality source', unread, AIR_QUALITY, () => context.source('airQuality')),
      severeAlerts(context),
    ])
    const warnings: MetaWarning[] = [...of.current, ...unread]
    const air = supplied?.air
    if (!at && present.source === 'none' && !radar && !lightning) {
      return { maxAgeSeconds: 60, degraded: true, warnings: [withoutForecast(context, 'current')] }
    }
    if (!at) warnings.push(withoutForecast(context, 'current'))
    const values: Partial<Values> = at?.values ?? {}
    const { conditions, icon } = words ?? { conditions: 'Unknown', icon: 'unknown' }
    const severe = alerts.some((alert) => overlaps(alert, context.now, context.now + IMMINENT_MS))
    const { units } = context
    const json =
      `{"time":${instantText(at?.time ?? floorTo(context.now, MINUTE))}${currentNumbers(context.writerMemory, { values, radar, air }, units)}` +
      (air?.category ? `,"aqi_category":"${air.category}"` : '') +
      `,"precip_type":"${precipTypes[present.type]}"` +
      `,"lightning_density":${lightning?.density === undefined ? 'null' : Math.round(lightning.density * 1e4) / 1e4}` +
      `,"lightning_prob":${shown(lightning?.probability ?? Number.NaN, units.of.percent)}` +
      `,"lightning_flashes":${shown(lightning?.flashes ?? Number.NaN, units.of.whole)}` +
      `,"conditions":"${conditions}","icon":"${icon}","severe":${severe}${at?.ceilingUnlimited && Number.isNaN(values.cloud_ceiling ?? Number.NaN) ? ',"cloud_ceiling_unlimited":true' : ''}}`
    const parts = [radar, lightning, supplied].filter((part) => part !== undefined)
    return {
      json,
      warnings: [...warnings, ...parts.flatMap((part) => part.warnings)],
      freshness: parts.flatMap((part) => part.freshness),
      degraded: !at || parts.some((part) => part.degraded) || warnings.some(({ code }) => code === 'source_failed'),
      sources: air && air.aqi !== null ? ['airnow'] : [],
      maxAgeSeconds: 120,
      expiresAt: floorTo(context.now, HOUR) + HOUR,
    }
  },
}
