import type { Weather } from './api.ts'
import { el } from './dom.ts'
import { type Clock, compass, degrees, isNumber, type Labels, type Maybe, shown } from './format.ts'
import { glyph } from './glyph.ts'
import { headline } from './sentence.ts'

/** The first thing that is read: name, the statement that matters, and what it is like now. */
export function nowCard(weather: Weather, clock: Clock, labels: Labels, now: number, star: HTMLElement): Node[] {
  const { location, current, daily } = weather
  const name = `${location.name}${location.region ? `, ${location.region}` : ''}`
  const today = daily?.find(({ relative_day }) => relative_day === 0)
  const range = [
    isNumber(today?.high) && `high ${degrees(today.high)}`,
    isNumber(today?.low) && `low ${degrees(today.low)}`,
  ]
  const head = el(
    'div',
    { class: 'place-head' },
    el('h1', {}, name),
    star,
    el(
      'p',
      { class: 'quiet local' },
      `${clock.day(now)} ${clock.zone(now)}${location.county ? ` · ${location.county}` : ''}`,
    ),
  )
  const sentence = el('p', { class: 'headline' }, headline(weather, clock, now))
  if (!current) return [head, sentence, el('p', { class: 'error' }, 'Current conditions are not known just now.')]
  return [
    head,
    sentence,
    el(
      'div',
      { class: 'now' },
      glyph(current.icon),
      el(
        'p',
        { class: 'degrees' },
        degrees(current.temperature),
        el('span', { class: 'unit' }, labels.degree.slice(1)),
      ),
      el(
        'p',
        { class: 'words' },
        el('strong', {}, current.conditions),
        el('br'),
        `Feels like ${degrees(current.feels_like)}`,
        el('br'),
        range.filter(Boolean).join(', '),
      ),
    ),
    facts(weather, labels),
  ]
}

function facts({ current: c }: Weather, labels: Labels): HTMLElement {
  const wind = isNumber(c!.wind_speed)
    ? `${compass(c!.wind_direction)} ${Math.round(c!.wind_speed)} ${labels.speed}${isNumber(c!.wind_gust) ? `, gusts ${Math.round(c!.wind_gust)}` : ''}`.trim()
    : '–'
  const sky = c!.cloud_ceiling_unlimited ? 'no ceiling' : undefined
  const entries: readonly (readonly [string, string])[] = [
    ['Wind', wind],
    ['Humidity', shown(c!.humidity, ' %')],
    ['Dew point', degrees(c!.dew_point)],
    ['Pressure', shown(c!.pressure, ` ${labels.pressure}`, labels.pressureDigits)],
    ['Visibility', shown(c!.visibility, ` ${labels.visibility}`, Number(c!.visibility) < 3 ? 1 : 0)],
    ['Clouds', `${shown(c!.cloud_cover, ' %')}${sky ? `, ${sky}` : ''}`],
    ['UV index', `${shown(c!.uv_index)}${uvWord(c!.uv_index)}`],
    ['Air quality', isNumber(c!.aqi) ? `${c!.aqi}${c!.aqi_category ? ` ${c!.aqi_category}` : ''}` : '–'],
  ]
  return el(
    'dl',
    { class: 'facts' },
    ...entries.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  )
}

function uvWord(index: Maybe): string {
  if (!isNumber(index)) return ''
  return index < 3 ? ' low' : index < 6 ? ' moderate' : index < 8 ? ' high' : index < 11 ? ' very high' : ' extreme'
}
