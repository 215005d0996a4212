import type { Threat } from '../../ingest/domain/threat.ts'
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
import { type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { type Hazards, hazardsOf, severeHours } from './severe.ts'

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
    const hazards = await hazardsOf(context)
    return {
      write: (page) => writeDaily(page, context, forecast, hazards),
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

function writeDaily(page: Page, context: SectionContext, forecast: Forecast, hazards: Hazards): void {
  const { query, units } = context
  const severe = severeHours(forecast, hazards)
  const walks = new Walks(forecast)
  for (const window of context.windows) {
    const row = rowOf(context, walks, severe, window)
    if (query.view === 'concise') page.put(dayForms(units).concise.from(row))
    else writeDetailed(page, context, row, rowThreats(forecast, row, hazards))
    if (query.include.has('uncertainty')) writeUncertainty(page, forecast, window, units)
  }
  page.text('}]')
}

function writeDetailed(page: Page, context: SectionContext, row: Row, threats: readonly Threat[]): void {
  page.put(dayForms(context.units).detailed.from(row))
  writeAstro(page, context, row.window.day)
  writeHalf(page, context, row.shownDay)
  writeHalf(page, context, row.shownNight)
  if (threats.length > 0) page.text(`,"threats":${JSON.stringify(threats)}`)
  else page.put(dayForms(context.units).noThreats)
}

function writeHalf(page: Page, { units }: SectionContext, shown: ShownHalf): void {
  const forms = dayForms(units)
  page.put(forms[shown.name].from(shown))
  shown.told = tell(page, shown, units, AS_MEMBER)
  page.put(forms.end.from(shown))
}
