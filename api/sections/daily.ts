import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import type { Page } from '../present/page.ts'
import { writeAstro } from './astro.ts'
import { dayForms } from './day-forms.ts'
import { type Row, rowOf, type ShownHalf } from './day-row.ts'
import { rowThreats } from './day-threats.ts'
import { writeUncertainty } from './day-uncertainty.ts'
import { Walks } from './day-walk.ts'
import { AS_MEMBER, tell } from './narrative.ts'
import {
  type AlertAtPoint,
  type OutlookAtPoint,
  type Section,
  type SectionContext,
  type SectionResult,
  withoutForecast,
} from './section.ts'
import { alertsOf, outlooksOf, severeHours } from './severe.ts'

export const daily: Section = {
  name: 'daily',
  async build(context: SectionContext): Promise<SectionResult> {
    const forecast = await context.forecast()
    if (!forecast) {
      return {
        maxAgeSeconds: 60,
        degraded: true,
        warnings: [withoutForecast(context, 'daily')],
      }
    }
    const [severe, outlooks, alerts] = await Promise.all([
      severeHours(context, forecast),
      outlooksOf(context),
      alertsOf(context),
    ])
    return {
      write: (page) => writeDaily(page, context, { forecast, severe, outlooks, alerts }),
      warnings:
        context.query.view === 'detailed'
          ? [
              {
                code: 'not_held',
                section: 'daily',
                detail: 'no air quality source is held',
                fields: ['aqi_max', 'aqi'],
              },
            ]
          : [],
      maxAgeSeconds: 600,
      expiresAt: (Math.floor(context.now / HOUR) + 1) * HOUR,
    }
  },
}

interface Known {
  readonly forecast: Forecast
  readonly severe: Uint8Array
  readonly outlooks: readonly OutlookAtPoint[]
  readonly alerts: readonly AlertAtPoint[]
}

function writeDaily(page: Page, context: SectionContext, known: Known): void {
  const { query, units } = context
  const walks = new Walks(known.forecast)
  for (const window of context.windows) {
    const row = rowOf(context, walks, known.severe, window)
    if (query.view === 'concise') page.put(dayForms(units).concise.from(row))
    else writeDetailed(page, context, known, row)
    if (query.include.has('uncertainty')) writeUncertainty(page, known.forecast, window, units)
  }
  page.text('}]')
}

function writeDetailed(page: Page, context: SectionContext, { forecast, outlooks, alerts }: Known, row: Row): void {
  page.put(dayForms(context.units).detailed.from(row))
  writeAstro(page, context, row.window.day)
  writeHalf(page, context, row.shownDay)
  writeHalf(page, context, row.shownNight)
  const found = rowThreats(forecast, row, outlooks, alerts)
  if (found.length > 0) page.text(`,"threats":${JSON.stringify(found)}`)
  else page.put(dayForms(context.units).noThreats)
}

function writeHalf(page: Page, { units }: SectionContext, shown: ShownHalf): void {
  const forms = dayForms(units)
  page.put(forms[shown.name].from(shown))
  shown.told = tell(page, shown, units, AS_MEMBER)
  page.put(forms.end.from(shown))
}
