import type { PageWeather } from './api.ts'
import { el, find } from './dom.ts'
import { type Clock, compass, degrees, isNumber, type Labels, type Maybe, numberText } from './format.ts'
import { glyph } from './glyph.ts'
import { statements } from './sentence.ts'

/** The first card: the name of the place, the most important statement, and the current conditions. */
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
      severity ? alertLink(text, severity) : text,
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
    facts(current, labels),
  ]
}

function facts(current: NonNullable<PageWeather['current']>, labels: Labels): HTMLElement {
  const wind = isNumber(current.wind_speed)
    ? `${compass(current.wind_direction)} ${Math.round(current.wind_speed)} ${labels.speed}${isNumber(current.wind_gust) ? `, gusts ${Math.round(current.wind_gust)}` : ''}`.trim()
    : '–'
  const entries: readonly (readonly [string, string] | false)[] = [
    ['Wind', wind],
    ['Humidity', numberText(current.humidity, '%')],
    ['Dew point', degrees(current.dew_point)],
    ['Pressure', numberText(current.pressure, ` ${labels.pressure}`, labels.pressureDigits, labels.pressureDigits)],
    ['Visibility', numberText(current.visibility, ` ${labels.visibility}`, Number(current.visibility) < 3 ? 1 : 0)],
    ['Clouds', numberText(current.cloud_cover, '%')],
    ['UV index', `${numberText(current.uv_index)}${uvWord(current.uv_index)}`],
    // Most of Alaska has no monitor nearby, so the entry is left out instead of shown as unknown.
    isNumber(current.aqi) && [
      'Air quality',
      `${current.aqi}${current.aqi_category ? ` ${lower(current.aqi_category)}` : ''}`,
    ],
  ]
  return el(
    'dl',
    { class: 'facts' },
    ...entries
      .filter((entry) => entry !== false)
      .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  )
}

/** The most severe alert in its colour, as a link to its text. */
function alertLink(text: string, severity: string): HTMLElement {
  const link = el('a', { class: `strip ${severity}`, href: '#h-alerts' }, text)
  link.addEventListener('click', (event) => {
    // The address does not change, since it names the place.
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
