import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readAlertGeoJson } from '../../ingest/decode/alert/geojson.ts'
import { decide, type FeedReading, type StoredAlert } from '../../ingest/domain/alert/lifecycle.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { DAY, type Instant, isoMilliseconds, MINUTE } from '../../ingest/domain/time.ts'

/**
 * Replays recorded text products office by office as feeds, one message for each segment and VTEC string. The truth is
 * a table from Directive 10-1703 alone: the effect of each string on each UGC code.
 */
const root = '../shared/fixtures/text/alerts/vtec-text'
const there = existsSync(root)

interface Spoken {
  readonly action: string
  /** KBOU.WS.W.0007 */
  readonly event: string
  readonly raw: string
  readonly codes: readonly string[]
  readonly end?: Instant
  readonly purge: Instant
}
interface Product {
  readonly name: string
  readonly office: string
  readonly sent: Instant
  readonly spoken: readonly Spoken[]
}

const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

/** Returns the instant with the day, hour and minute `ddhhmm` that is nearest to another instant. */
function nearest(ddhhmm: string, near: Instant): Instant {
  const about = new Date(near)
  const [day, hour, minute] = [0, 2, 4].map((i) => Number(ddhhmm.slice(i, i + 2)))
  const all = [-1, 0, 1].map((month) =>
    Date.UTC(about.getUTCFullYear(), about.getUTCMonth() + month, day, hour, minute),
  )
  return nth(
    all.sort((a, b) => Math.abs(a - near) - Math.abs(b - near)),
    0,
  )
}

/** Reads a UGC line such as `COZ001-003>005-CAC001-061200-`: the codes, and the purge time of the segment. */
function codesOf(line: string): { codes: string[]; purge: string } {
  const parts = line.replace(/\s/g, '').split('-').filter(Boolean)
  const purge = parts.pop()!
  const codes: string[] = []
  let letters = ''
  for (const part of parts) {
    const [, own, from, to] = /^([A-Z]{2}[CZ])?(\d{3})(?:>(\d{3}))?$/.exec(part) ?? []
    if (from === undefined) continue
    letters = own ?? letters
    for (let n = Number(from); n <= Number(to ?? from); n++) codes.push(letters + String(n).padStart(3, '0'))
  }
  return { codes, purge }
}

function timeOf(text: string): Instant | undefined {
  const [yy, mm, dd, hour, minute] = (text.match(/\d\d/g) ?? []).map(Number)
  return mm === 0 ? undefined : Date.UTC(2000 + yy!, mm! - 1, dd, hour, minute)
}

function productOf(name: string, latin: string): Product | undefined {
  const text = latin.replaceAll('\r', '').toUpperCase()
  const heading = /^[A-Z]{4}\d\d [A-Z]{4} (\d{6})/m.exec(text)
  const date = new RegExp(`\\b(${months.join('|')}) +(\\d{1,2}) (\\d{4})\\b`).exec(text)
  if (!heading || !date) return undefined
  const sent = nearest(nth(heading, 1), Date.UTC(Number(date[3]), months.indexOf(nth(date, 1)), Number(date[2]), 12))
  const spoken = text.split('$$').flatMap((segment) => {
    const line = /^([A-Z]{2}[CZ]\d{3}[\dA-Z>\-\n]*?-\d{6}-)\s*$/m.exec(segment)
    if (!line) return []
    const { codes, purge } = codesOf(nth(line, 1))
    const strings = segment.matchAll(/\/[OTEX]\.([A-Z]{3})\.([A-Z]{4}\.[A-Z]{2}\.[A-Z]\.\d{4})\.(\w{12})-(\w{12})\//g)
    return [...strings]
      .filter(([, action, event]) => action !== 'ROU' && !event!.endsWith('.0000'))
      .map(([raw, action, event, , end]) => ({
        action: action!,
        event: event!,
        raw,
        codes,
        end: timeOf(end!),
        purge: nearest(purge, sent),
      }))
  })
  return spoken.length > 0 ? { name, office: nth(spoken, 0).event.slice(0, 4), sent, spoken } : undefined
}

/** Consecutive products of one office. */
function sequences(): Product[][] {
  const products = ['longfuse/pyiem', 'longfuse/pywwa', 'warnings/pyiem', 'warnings/pywwa']
    .flatMap((folder) => readdirSync(`${root}/${folder}`).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.txt'))
    .flatMap((path) => productOf(path, readFileSync(`${root}/${path}`, 'latin1')) ?? [])
    .sort((a, b) => a.sent - b.sent || (a.name < b.name ? -1 : 1))
  const groups: Product[][] = []
  for (const product of products) {
    const group = groups.find(
      (products) => nth(products, 0).office === product.office && product.sent - products.at(-1)!.sent < 12 * DAY,
    )
    if (group) group.push(product)
    else groups.push([product])
  }
  return groups
}

interface Stretch {
  readonly from: Instant
  until: Instant
  readonly by: Product
}

/** Maps `event|code` to the times at which it is in force. */
function truthOf(products: readonly Product[]): Map<string, Stretch[]> {
  const truth = new Map<string, Stretch[]>()
  for (const product of products) {
    for (const { action, event, codes, end, purge } of product.spoken) {
      const closing = action === 'EXP' && end !== undefined && end > product.sent && end - product.sent <= 30 * MINUTE
      for (const code of codes) {
        const list = truth.get(`${event}|${code}`) ?? []
        for (const moment of list)
          if (moment.by !== product) moment.until = Math.min(moment.until, closing ? end : product.sent)
        if (!['CAN', 'UPG', 'EXP'].includes(action)) list.push({ from: product.sent, until: end ?? purge, by: product })
        truth.set(`${event}|${code}`, list)
      }
    }
  }
  return truth
}

function messagesOf(products: readonly Product[]) {
  const before = new Map<string, string[]>()
  return products.flatMap((product) => {
    const fresh: [string, string][] = []
    const heads = product.spoken.map(({ action, event, raw, codes, end, purge }, i) => {
      const id = `${product.name}.${i}`
      fresh.push([event, id])
      const properties = {
        id,
        event,
        sent: isoMilliseconds(product.sent),
        effective: isoMilliseconds(product.sent),
        expires: isoMilliseconds(purge),
        ends: end === undefined ? null : isoMilliseconds(end),
        status: 'Actual',
        messageType: action === 'NEW' ? 'Alert' : action === 'CAN' ? 'Cancel' : 'Update',
        geocode: { UGC: codes },
        references: (before.get(event) ?? []).map((identifier) => ({ identifier })),
        parameters: { VTEC: [raw] },
      }
      const { head } = nth(readAlertGeoJson(JSON.stringify({ features: [{ properties }] })).messages, 0)
      return {
        head,
        event,
        listed: action === 'CAN' ? product.sent + 15 * MINUTE : Math.max(end ?? purge, product.sent),
      }
    })
    for (const [event, id] of fresh) before.set(event, [...(before.get(event) ?? []), id])
    return heads
  })
}

describe.skipIf(!there)('recorded VTEC products (skipped if the fixtures are absent)', () => {
  const play = (products: readonly Product[], backwards: boolean): { wrong: string[]; checks: number } => {
    const truth = truthOf(products)
    const messages = messagesOf(products)
    const moments = [...truth.values()].flat().flatMap(({ from, until }) => [from + 1000, until - 1000, until + 1000])
    const wrong: string[] = []
    let stored: StoredAlert[] = []
    let checks = 0
    const play = (feed: FeedReading, at: Instant) => {
      stored = [...decide(stored, feed, at).alerts.values()]
    }
    for (const at of [...new Set(moments)].filter((moment) => moment >= nth(products, 0).sent).sort((a, b) => a - b)) {
      const heads = messages.filter(({ head, listed }) => head.sent <= at && at < listed).map(({ head }) => head)
      if (backwards) for (const head of heads.toReversed()) play({ kind: 'read', heads: [head], late: true }, at)
      else for (let twice = 0; twice < 2; twice++) play({ kind: 'read', heads }, at)
      play({ kind: 'none' }, at)
      const events = new Map(messages.map(({ head, event }) => [head.id, event]))
      const inForce = new Set(
        stored.flatMap(({ head, shown: inForce }) =>
          (inForce?.areas ?? []).map((area) => `${events.get(head.id)}|${area}`),
        ),
      )
      for (const [key, stretches] of truth) {
        checks++
        const expected = stretches.some(({ from, until }) => from <= at && at < until)
        if (inForce.has(key) !== expected) wrong.push(`${key} at ${isoMilliseconds(at)}: must be ${expected}`)
      }
    }
    return { wrong, checks }
  }

  it.each([
    ['in their order', false],
    ['each alone and backwards', true],
  ])('alerts are in force where and when the directive requires, replayed %s', (_, backwards) => {
    const results = there ? sequences().map((products) => play(products, backwards)) : []
    expect(results.flatMap(({ wrong }) => wrong).slice(0, 10)).toEqual([])
    expect(results.reduce((sum, { checks }) => sum + checks, 0)).toBeGreaterThan(10_000)
  })
})
