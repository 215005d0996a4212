import type { PageWeather } from './api.ts'
import { el, find } from './dom.ts'
import { type Clock, compass, degrees, isNumber, type Labels, type Maybe, shown } from './format.ts'
import { glyph } from './glyph.ts'
import { statements } from './sentence.ts'

/** The first thing that is read: name, the statement that matters, and what it is like now. */
export function nowCard(weather: PageWeather, clock: Clock, labels: Labels, now: number, star: HTMLElement): Node[] {
  const { location, current, daily } = weather
  const name = `${location.name}${location.region ? `, ${location.region}` : ''}`
  const today = daily?.find(({ relative_day }) => relative_day === 0)
  const range = [
    isNumber(today?.high) && `high ${degrees(today.high)}`,
    isNumber(today?.low) && `low ${degrees(today.low)}`,
  ].filter((part) => part !== false)
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
  const sentence = el(
    'p',
    { class: 'headline' },
    ...statements(weather, clock, now).flatMap(({ text, severity }) => [
      severity ? alertStrip(text, severity) : text,
      ' ',
    ]),
  )
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
        range.length > 0 && `Today ${range.join(', ')}`,
      ),
    ),
    facts(weather, labels),
  ]
}

function facts({ current: c }: PageWeather, labels: Labels): HTMLElement {
  const wind = isNumber(c!.wind_speed)
    ? `${compass(c!.wind_direction)} ${Math.round(c!.wind_speed)} ${labels.speed}${isNumber(c!.wind_gust) ? `, gusts ${Math.round(c!.wind_gust)}` : ''}`.trim()
    : '–'
  const entries: readonly (readonly [string, string] | false)[] = [
    ['Wind', wind],
    ['Humidity', shown(c!.humidity, '%')],
    ['Dew point', degrees(c!.dew_point)],
    ['Pressure', shown(c!.pressure, ` ${labels.pressure}`, labels.pressureDigits, labels.pressureDigits)],
    ['Visibility', shown(c!.visibility, ` ${labels.visibility}`, Number(c!.visibility) < 3 ? 1 : 0)],
    ['Clouds', shown(c!.cloud_cover, '%')],
    ['UV index', `${shown(c!.uv_index)}${uvWord(c!.uv_index)}`],
    // Most of Alaska has no monitor near: that is no fault of today.
    isNumber(c!.aqi) && ['Air quality', `${c!.aqi}${c!.aqi_category ? ` ${lower(c!.aqi_category)}` : ''}`],
  ]
  return el(
    'dl',
    { class: 'facts' },
    ...entries
      .filter((entry) => entry !== false)
      .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  )
}

/** The most severe alert in its colour; leads to its text. */
function alertStrip(text: string, severity: string): HTMLElement {
  const link = el('a', { class: `strip ${severity}`, href: '#h-alerts' }, text)
  link.addEventListener('click', (event) => {
    // Not by the address: it is the place's.
    event.preventDefault()
    find('#h-alerts').scrollIntoView()
    find('.alerts summary').focus({ preventScroll: true })
  })
  return link
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

function uvWord(index: Maybe): string {
  if (!isNumber(index)) return ''
  return index < 3 ? ' low' : index < 6 ? ' moderate' : index < 8 ? ' high' : index < 11 ? ' very high' : ' extreme'
}
