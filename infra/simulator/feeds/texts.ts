import { MINUTE } from '../../../ingest/domain/time.ts'
import { type MirrorObject, nameTag, type SimulatedHost } from '../source.ts'
import { afd, textsAt, writers } from '../text-issues.ts'
import { box, discussion } from '../text-national.ts'
import { ddhhmm, type SimulatedText } from '../text-words.ts'

/**
 * Faults of a text. `GET /api.weather.gov/_texts?office=BOX&wrong=cut` issues an AFD of that office now with that fault; without
 * `wrong` a valid one. `?lat=40&lon=-105&minutes=30[&kind=MPD]` issues a discussion around a point; `?clear` removes all of them.
 */
const wrongs = {
  cut: 'the text ends in the middle',
  html: 'a page instead of the text',
  control: 'a NUL in the text',
  office: 'the WMO line of another office',
  kind: 'the AWIPS line of another product',
  json: 'an answer that is no JSON',
  gone: 'named by the list, not found',
} as const
type Wrong = keyof typeof wrongs

interface Extra {
  readonly text: SimulatedText
  readonly wrong?: Wrong
}

/** Lists and items of api.weather.gov/products. */
export function textFeed(): SimulatedHost {
  const extras: Extra[] = []
  const issued = (type: string, location: string | undefined, now: number): SimulatedText[] => [
    ...textsAt(type, location, now),
    ...extras
      .map(({ text }) => text)
      .filter((text) => text.type === type && (location === undefined || text.location === location)),
  ]
  return {
    host: 'api.weather.gov',
    find(path, query, now) {
      if (path === '/_texts') return json(command(extras, query, now), now)
      const list = /^\/products\/types\/([A-Z]{3})(?:\/locations\/([A-Z0-9]{3}))?$/.exec(path)
      if (list) {
        const [, type, location] = list
        const office = location && !['MCD', 'MPD', 'DY1', 'DY2', 'DY3', 'D48'].includes(location) ? location : undefined
        const texts = issued(type!, office ? undefined : location, now)
        return json(
          { '@context': {}, '@graph': texts.filter((one) => !office || one.office.endsWith(office)).map(row) },
          now,
        )
      }
      const id = /^\/products\/([\w-]+)$/.exec(path)?.[1]
      if (id === undefined) return undefined
      const extra = extras.find(({ text }) => text.id === id)
      const text = extra?.text ?? foundById(id, now)
      if (!text || extra?.wrong === 'gone') return undefined
      if (extra?.wrong === 'json') return file('{"productText": "cut sh', now, 'application/ld+json')
      return json({ ...row(text), productText: wording(text, extra?.wrong) }, text.at)
    },
  }
}

function foundById(id: string, now: number): SimulatedText | undefined {
  const type = id.split('-')[1]?.toUpperCase() ?? ''
  const of = { MCD: 'SWO', MPD: 'FFG' }[type] ?? type
  return textsAt(of, undefined, now).find((text) => text.id === id)
}

function row(text: SimulatedText): object {
  return {
    '@id': `https://api.weather.gov/products/${text.id}`,
    id: text.id,
    wmoCollectiveId: text.wmo,
    issuingOffice: text.office,
    issuanceTime: new Date(text.at).toISOString().replace('.000Z', '+00:00'),
    productCode: text.type,
    productName: `SIMULATED ${text.type}`,
  }
}

function wording(text: SimulatedText, wrong: Wrong | undefined): string {
  if (wrong === 'html') return '<!DOCTYPE html><html><body>Simulated error page</body></html>'
  const office = wrong === 'office' ? 'KZZZ' : text.office
  const awips = wrong === 'kind' ? `ZZZ${text.awips.slice(3)}` : text.awips
  const body = text.body()
  const words = `\n000\n${text.wmo} ${office} ${ddhhmm(text.at)}\n${awips}\n\n${body}`
  if (wrong === 'cut') return words.slice(0, words.lastIndexOf('$$') >> 1)
  return wrong === 'control' ? words.replace('.', '\u0000') : words
}

/** Issues a text for a request to `/_texts`. */
function command(extras: Extra[], query: URLSearchParams, now: number): object {
  if (query.has('clear')) extras.length = 0
  const at = Math.floor(now / MINUTE) * MINUTE
  const wrong = query.get('wrong') as Wrong | null
  const office = writers().find(({ id }) => id === query.get('office'))
  const [lat, lon] = [Number(query.get('lat')), Number(query.get('lon'))]
  let text: SimulatedText | undefined
  if (office) text = afd(office, at)
  else if (query.has('lat')) {
    const kind = query.get('kind') === 'MPD' ? 'MPD' : 'MCD'
    const until = now + Number(query.get('minutes') ?? 60) * MINUTE
    text = discussion(kind, 9001 + (extras.length % 900), at, until, box(lat - 1, lon - 1, lat + 1, lon + 1))
  }
  // A minute may have several: each has an id of its own.
  if (text && extras.length < 1000) {
    extras.push({ text: { ...text, id: `${text.id}-x${extras.length}` }, ...(wrong && wrong in wrongs && { wrong }) })
  }
  return { wrongs, issued: extras.map(({ text: one, wrong: how }) => ({ id: one.id, wrong: how ?? null })) }
}

function json(value: object, lastModified: number): MirrorObject {
  return file(JSON.stringify(value), lastModified, 'application/ld+json')
}

function file(text: string, lastModified: number, type: string): MirrorObject {
  return { etag: nameTag(text), lastModified, type, body: () => new TextEncoder().encode(text) }
}

export const sources = (): readonly SimulatedHost[] => [textFeed()]
