import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { written } from '../present/page.ts'
import type { Units } from '../present/units.ts'
import { fold } from './day-fold.ts'
import { highOf, lowOf } from './day-periods.ts'
import { Walks } from './day-walk.ts'
import { AS_TEXT, compass, tell } from './narrative.ts'
import { type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { hazardsOf, severeHours } from './severe.ts'
import { foldWords, hourWords } from './words.ts'

/** Text by rules alone: what it is like now, and what the rest of the day and the next half will be. */
export const narrations: Section = {
  name: 'narrations',
  async build(context: SectionContext): Promise<SectionResult> {
    const forecast = await context.forecast()
    if (!forecast) {
      return {
        maxAgeSeconds: 60,
        degraded: true,
        warnings: [withoutForecast(context, 'narrations')],
      }
    }
    const severe = severeHours(forecast, await hazardsOf(context))
    return {
      value: { current: nowText(forecast, context.units), short_term: shortTerm(context, forecast, severe) },
      maxAgeSeconds: 600,
      expiresAt: (Math.floor(context.now / HOUR) + 1) * HOUR,
    }
  },
}

function nowText(forecast: Forecast, units: Units): string {
  const h = forecast.now
  const c = forecast.columns
  const words = hourWords(forecast, h)
  const whole = (value: number | null) => Math.round(value!)
  const degrees = `°${units.labels.temperature === 'K' ? ' K' : units.labels.temperature}`.replace('° K', ' K')
  const parts: string[] = []
  if (!Number.isNaN(c.temperature[h]!)) {
    const t = whole(units.show('temperature', c.temperature[h]!))
    const feels = whole(units.show('temperature', c.feels_like[h]!))
    const felt = Math.abs(feels - t) >= 3 ? `, feeling like ${feels}` : ''
    parts.push(`${words ? `${words.conditions}, ` : ''}${t}${degrees}${felt}.`)
  } else if (words) parts.push(`${words.conditions}.`)
  const speed = units.show('wind_speed', c.wind_speed[h]!)
  if (speed !== null && !Number.isNaN(c.wind_direction[h]!)) {
    parts.push(
      speed < 3
        ? 'Light wind.'
        : `Wind from the ${compass(c.wind_direction[h]!)} at ${whole(speed)} ${units.labels.wind_speed}.`,
    )
  }
  return parts.join(' ')
}

/** The half that is running, then the one after it. */
function shortTerm(context: SectionContext, forecast: Forecast, severe: Uint8Array): string {
  const { now, windows, units } = context
  const index = Math.max(
    0,
    windows.findIndex((window) => now >= window.start && now < window.end),
  )
  const today = windows[index]!
  const halves =
    now < today.nightfall
      ? ([
          ['day', today],
          ['night', today],
        ] as const)
      : ([
          ['night', today],
          ['day', windows[index + 1]],
        ] as const)
  const walks = new Walks(forecast)
  const told: string[] = []
  for (const [half, window] of halves) {
    if (!window) continue
    const from = half === 'day' ? window.start : window.nightfall
    const to = half === 'day' ? window.nightfall : window.end
    const of = fold(walks, Math.max(from, Math.floor(now / HOUR) * HOUR), to, severe)
    if (!of.hours) continue
    const words = foldWords(of, half === 'day')
    const temperature = half === 'day' ? highOf(forecast, window, of) : lowOf(forecast, window, of)
    const text = written((page) => void tell(page, { name: half, half: of, words, temperature }, units, AS_TEXT))
    const name =
      window === today
        ? half === 'day'
          ? 'Today'
          : 'Tonight'
        : `${weekday(window.day)}${half === 'night' ? ' night' : ''}`
    told.push(`${name}: ${text}`)
  }
  return told.join(' ')
}

function weekday(day: number): string {
  const names = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday']
  return names[((day % 7) + 7) % 7]!
}
