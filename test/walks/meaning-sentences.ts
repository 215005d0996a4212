import type { AnyJson } from '../../bin/doctor/answer-members.ts'
import { everyHalf, weightsByType } from './meaning-days.ts'
import { type HalfHours, halvesOf, isRunning, localOf, type MeaningRule, type Pair, typesIn } from './meaning-words.ts'

const isNumber = (value: unknown): value is number => typeof value === 'number'

const times = /\b\d{1,2} ?(AM|PM)\b|noon|midnight|morning|afternoon|evening|overnight/i

interface Window {
  readonly from: number
  readonly to: number
}

/** Hours of the clock that a sentence mentions: `mainly after 1 AM`, `before noon and between 3 PM and 5 PM`. */
function windowsIn(sentence: string): Window[] {
  const clock = (text = ''): number => {
    if (/noon/i.test(text)) return 12
    if (/midnight/i.test(text)) return 0
    return (Number.parseInt(text, 10) % 12) + (/PM/i.test(text) ? 12 : 0)
  }
  const time = '(\\d{1,2} ?[AP]M|noon|midnight)'
  const any = new RegExp(`(?:between|from) ${time} (?:and|to) ${time}|after ${time}|before ${time}`, 'gi')
  return [...sentence.matchAll(any)].map(([, from, to, after, before]) => ({
    from: before ? Number.NaN : clock(from ?? after),
    to: after ? Number.NaN : clock(to ?? before),
  }))
}

/** Whether the 60 minutes that end at `time` lie in the window; hours count from the start of the half. */
function liesIn(time: string, window: Window, { name }: HalfHours, zone: string): boolean {
  const start = name === 'day' ? 6 : 18
  const since = (hour: number) => (hour - start + 24) % 24
  const begin = since(localOf(Date.parse(time) - 3_600_000, zone).hour)
  const from = Number.isNaN(window.from) ? 0 : since(window.from)
  const to = Number.isNaN(window.to) ? 12 : since(window.to) || 12
  return begin >= from && begin < to
}

/**
 * Returns a sentence without its figures, units and words of measure, because amounts are given in fractions of an inch
 * or in millimetres.
 */
const withoutFigures = (text: string): string =>
  text
    .replace(
      /((?:New snow|Rain|Snow|Ice|Precipitation|Liquid equivalent|Sleet)(?: accumulation)?) (?:of|around|about|near|between|less|up|more|a|\d)[^.]*?\b(?:inch(?:es)?|mm|cm|in)\b/g,
      '$1 #',
    )
    .replace(/-?\d+(\.\d+)?/g, '#')
    .replace(/Visibility [^.]*/, 'Visibility #')
    .replace(/#(°[FC]| ?(mph|km\/h|kph|in\/h|mm\/h|feet|ft|m|miles?|mi|km|kilometers?|meters?))\b/gi, '#')
    .replace(/\s+/g, ' ')

const sentencesOf = (answer: AnyJson): [string, string][] => [
  ...['current', 'short_term'].map((name): [string, string] => [name, answer.narrations?.[name] ?? '']),
  ...halvesOf(answer).map(({ label, half }): [string, string] => [label, half.narrative ?? '']),
]

const types: Record<string, RegExp> = {
  rain: /rain|shower|storm/i,
  snow: /snow|flurr/i,
  wintry_mix: /mix|snow|sleet|freezing/i,
  freezing_rain: /freezing/i,
  ice_pellets: /sleet|ice pellets|mix/i,
}

export const sentenceRules: readonly MeaningRule[] = [
  everyHalf('the narrative of a half says when', ({ half, hours, isWhole, day }) => {
    const chances = hours.map((h) => h.precip_probability).filter(isNumber)
    if (!(isWhole || isRunning(day)) || chances.length < hours.length || chances.length < 2 || !half.narrative)
      return null
    const most = Math.max(...chances)
    if (most < 55 || most - Math.min(...chances) < 40) return null
    return times.test(half.narrative) || `hours ${chances.join(' ')}`
  }),
  everyHalf('a half with two types is told in order of time', ({ half, hours, isWhole, day }, { location }) => {
    if (!(isWhole || isRunning(day)) || !half.narrative) return null
    const weights = [...weightsByType(hours)]
    const sum = weights.reduce((total, [, weight]) => total + weight, 0)
    const shares = weights.filter(([, weight]) => weight >= 0.27 * sum)
    if (sum < 1 || shares.length < 2) return null
    const main = new Set(shares.map(([type]) => type))
    const order = hours.map((h) => h.precip_type).filter((type) => main.has(type))
    // Types that alternate have no order.
    if (order.filter((type, i) => i > 0 && type !== order[i - 1]).length >= main.size) return null
    const both = shares.every(([type]) => types[type]?.test(half.narrative))
    const ordered = /chang|turn|becom|then|follow|transition|mixing/i.test(half.narrative)
    const text = hours.map(
      (h) => `${localOf(h.time, location.timezone).hour}h ${h.precip_type} ${h.precip_probability}% ${h.precip_amount}`,
    )
    return (both && ordered) || text.join(', ')
  }),
  everyHalf('the hours that a narrative names are those of what it names', (about, { location }) => {
    const { half, hours, isWhole, day } = about
    const sentence = (half.narrative ?? '').split('.')[0]
    const windows = windowsIn(sentence)
    if (!(isWhole || isRunning(day)) || windows.length === 0 || /chang|then|becom|turn|follow/i.test(sentence))
      return null
    const named = typesIn(sentence)
    const weight = (h: AnyJson) => (h.precip_probability ?? 100) * (h.precip_amount ?? 0)
    const wet = hours.filter((h) => weight(h) > 0 && h.precip_type !== 'none')
    const inside = wet.filter((h) => windows.some((window) => liesIn(h.time, window, about, location.timezone)))
    const sum = (rows: AnyJson[]) => rows.reduce((total, h) => total + weight(h), 0)
    const ofType = (rows: AnyJson[]) => rows.filter((h) => named.has(h.precip_type) || named.has('wintry_mix'))
    if (sum(wet) < 1) return null
    const weights = weightsByType(inside)
    const own = Math.max(0, ...[...weights].filter(([type]) => named.has(type)).map(([, w]) => w))
    const other = [...weights].find(([type, w]) => !named.has(type) && !named.has('wintry_mix') && w > own * 1.02)
    if (other) return `mostly ${other[0]} in the named hours`
    const chance = (rows: AnyJson[]) => Math.max(0, ...rows.map((h) => h.precip_probability ?? 100))
    const outside = hours.filter((h) => !inside.includes(h))
    const [within, beyond] = [chance(ofType(inside)), chance(ofType(outside))]
    if (within < beyond) return `at most ${within} % in the named hours, ${beyond} % outside`
    // The time of an onset is named where the chance changes, whatever falls later.
    if (within >= Math.min(...outside.map((h) => h.precip_probability ?? 100)) + 40) return true
    return (
      sum(ofType(inside)) * 2 >= sum(ofType(wet)) * 0.98 ||
      `only ${((100 * sum(inside)) / sum(wet)).toFixed(0)} % of the weight in the named hours`
    )
  }),
  everyHalf('a narrative gives the temperature of its half', ({ half }) => {
    const extremeText = /\b(?:high|low) (?:near|around) (-?\d+)/i.exec(half.narrative ?? '')?.[1]
    if (!extremeText || !isNumber(half.temperature)) return null
    return Math.abs(Number(extremeText) - half.temperature) <= 0.55
  }),
  everyHalf('a narrative gives the wind of its half', ({ half }) => {
    const [, speed] = /wind (?:around|near) (\d+) mph/i.exec(half.narrative ?? '') ?? []
    const [, gust] = /gusts to (\d+) mph/i.exec(half.narrative ?? '') ?? []
    if (!speed && !gust) return null
    const isNear = (stated: string | undefined, value: number) => !stated || Math.abs(Number(stated) - value) <= 3
    return isNear(speed, half.wind_speed) && isNear(gust, half.wind_gust)
  }),
  everyHalf('gusts of 40 mph are told', ({ half }) =>
    half.narrative && half.wind_gust >= 40.5 && half.wind_gust >= half.wind_speed + 10
      ? /gust/i.test(half.narrative)
      : null,
  ),
  everyHalf('half an inch of rain or more is told', ({ half }) =>
    half.narrative && half.precip_type === 'rain' && half.precip_total >= 0.5
      ? /\binch(es)?\b/.test(half.narrative)
      : null,
  ),
  everyHalf('an inch of snow is told', ({ half }) =>
    half.narrative && half.snow_total >= 1 ? /snow of/i.test(half.narrative) : null,
  ),
  everyHalf('ice of a tenth of an inch is told', ({ half }) =>
    half.narrative && half.ice_total >= 0.1 ? /ice of/i.test(half.narrative) : null,
  ),
  everyHalf('the snow that a narrative gives holds the snow of its half', ({ half }) => {
    const [, least, most] = /snow (?:of |accumulation of )?(\d+) to (\d+) inches/i.exec(half.narrative ?? '') ?? []
    if (!least || !most || !isNumber(half.snow_total)) return null
    return half.snow_total >= Number(least) - 0.5 && half.snow_total <= Number(most) + 0.5
  }),
  everyHalf('a narrative has no decimals but of less than a quarter of an inch', ({ half }) => {
    const decimals = [...(half.narrative ?? '').matchAll(/\d+\.\d+/g)].map(([text]) => Number(text))
    return half.narrative ? decimals.every((value) => value < 0.25) : null
  }),
  everyHalf('a narrative of a single hazard has at most 160 characters', ({ half, hours }) => {
    const isSingle = hours.length > 0 && weightsByType(hours).size <= 1 && !/Ice of/.test(half.narrative ?? '')
    if (!half.narrative || !isSingle || half.severe || half.thunder_possible || half.wind_gust >= 40) return null
    return half.narrative.length <= 160 || `${half.narrative.length} characters`
  }),
  everyHalf('a narrative has at most 320 characters', ({ half }) =>
    half.narrative ? half.narrative.length <= 320 : null,
  ),
  {
    name: 'rates and depths in sentences have at most two decimals and no trailing zero',
    *check({ imperial, metric }: Pair) {
      for (const answer of [imperial, metric])
        for (const [label, text] of sentencesOf(answer))
          for (const [match, number = '', unit] of text.matchAll(
            /(\d+(?:\.\d+)?) ?(inch(?:es)?|in\/h|in|mm\/h|mm|cm)\b/g,
          )) {
            const least = unit?.startsWith('mm') ? /^\d+(\.\d)?$/ : /^\d+(\.\d{1,2})?$/
            yield (least.test(number) && !/\.\d*0$/.test(number)) || `${label}: "${match}" in "${text}"`
          }
    },
  },
  {
    name: 'both systems of units have the same sentences',
    *check({ imperial, metric }: Pair) {
      const [a, b] = [sentencesOf(imperial), sentencesOf(metric)]
      for (const [i, [label, text]] of a.entries()) {
        const other = b[i]?.[1] ?? ''
        yield withoutFigures(text) === withoutFigures(other) || `${label}: "${text}" | "${other}"`
      }
    },
  },
  {
    name: 'the short narration is dry exactly where its rows are',
    *check({ imperial }: Pair) {
      const text: string | undefined = imperial.narrations?.short_term
      const chances = imperial.hourly.slice(0, 12).map((h: AnyJson) => h.precip_probability)
      if (!text || !chances.every(isNumber)) return
      const isDry = /\b(?:Dry|Mostly dry)\./.test(text)
      yield isDry === chances.every((chance: number) => chance < 15) || `"${text}" beside ${chances.join(' ')}`
    },
  },
  {
    name: 'the current narration names the current type',
    *check({ imperial }: Pair) {
      const falling = /([A-Z][a-z ]+) falling at/.exec(imperial.narrations?.current ?? '')?.[1]
      const type = imperial.current?.precip_type
      if (!falling || !types[type]) return
      yield types[type].test(falling) || `"${imperial.narrations.current}" beside ${type}`
    },
  },
]
