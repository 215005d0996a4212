import { floorTo, HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { UNKNOWN } from '../../ingest/domain/weather/precip-type.ts'
import type { Values } from '../blend/conditions-now.ts'
import { tolerant } from '../blend/tolerant.ts'
import { overlaps } from '../blend/warned.ts'
import type { MetaWarning } from '../contract.ts'
import { MRMS_ATTRIBUTION } from '../present/meta.ts'
import type { Page } from '../present/page.ts'
import { round, type Units } from '../present/units.ts'
import { type CurrentInputs, currentTemplates } from './current-templates.ts'
import { SCAN_SECONDS, type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { isSevere } from './severe.ts'

const AIR_QUALITY = ['aqi', 'aqi_category', 'pm25', 'ozone', 'pm10']
/** An alert that begins within this time counts as imminent. */
const IMMINENT_MS = HOUR

export const current: Section = {
  name: 'current',
  async build(context: SectionContext): Promise<SectionResult> {
    const unread: MetaWarning[] = []
    const [{ at, present, words, radar, lightning, alerts, warnings: bySection }, supplied] = await Promise.all([
      context.weatherNow(),
      tolerant('air quality source', unread, AIR_QUALITY, () => context.source('airQuality')),
    ])
    const warnings: MetaWarning[] = [...bySection.current, ...unread]
    const air = supplied?.air
    if (!at && present.source === 'none' && !radar && !lightning) {
      return { maxAgeSeconds: 60, degraded: context.takesModels, warnings: [withoutForecast(context, 'current')] }
    }
    if (!at) warnings.push(withoutForecast(context, 'current'))
    const values: Partial<Values> = at?.values ?? {}
    const inputs: CurrentInputs = {
      time: at?.time ?? floorTo(context.now, MINUTE),
      values,
      ceilingUnlimited: at?.ceilingUnlimited ?? false,
      radar,
      lightning,
      air,
      // Without radar and models the type is unknown, and "none" would be wrong.
      precipType: present.source === 'none' ? UNKNOWN : present.type,
      words,
      severe: alerts.some((alert) => isSevere(alert) && overlaps(alert, context.now, context.now + IMMINENT_MS)),
    }
    const parts = [radar, lightning, supplied].filter((part) => part !== undefined)
    return {
      write: (page) => writeCurrent(page, inputs, context.units),
      warnings: [...warnings, ...parts.flatMap((part) => part.warnings)],
      freshness: parts.flatMap((part) => part.freshness),
      degraded:
        (!at && context.takesModels) ||
        parts.some((part) => part.degraded) ||
        warnings.some(({ code }) => code === 'source_failed'),
      sources: [...(air && air.aqi !== null ? ['airnow'] : []), ...(radar ? [MRMS_ATTRIBUTION] : [])],
      maxAgeSeconds: SCAN_SECONDS,
      expiresAt: floorTo(context.now, HOUR) + HOUR,
    }
  },
}

function writeCurrent(page: Page, inputs: CurrentInputs, units: Units): void {
  const { before, after } = currentTemplates(page.memory, units)
  const density = inputs.lightning?.density
  page.put(before.from(inputs))
  page.value('lightning_density', density === undefined ? null : round(density, 4))
  page.put(after.from(inputs))
  page.closeObject()
}
