import { MINUTE } from '../../../ingest/domain/time.ts'
import { type MirrorObject, nameTag, type SimulatedHost } from '../source.ts'
import { afd, textsAt, writers } from '../text-issues.ts'
import { box, discussion } from '../text-national.ts'
import { ddhhmm, type SimulatedText } from '../text-words.ts'

/**
 * Faults of a text. `GET /api.weather.gov/_texts?office=BOX&wrong=cut` issues an AFD of that office now with that
 * fault, or a valid AFD without `wrong`. `?lat=40&lon=-105&minutes=30[&kind=MPD]` issues a discussion around a point,
 * and `?clear` removes all texts that were issued this way.
 */
const faults = {
  cut: 'the text ends in the middle',
  html: 'an HTML page replaces the text',
  control: 'the text contains a NUL',
  office: 'the WMO line names another office',
  kind: 'the AWIPS line names another product',
  json: 'the answer is not JSON',
  gone: 'the list names the text, but it is not found',
} as const
type TextFault = keyof typeof faults

interface ExtraText {
  readonly text: SimulatedText
  readonly fault?: TextFault
}

/** Creates the host of the lists and items of api.weather.gov/products. */
export function textFeed(): SimulatedHost {
  const extras: ExtraText[] = []
  const issuedTexts = (type: string, location: string | undefined, now: number): SimulatedText[] => [
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
        const [, type = '', location] = list
        const office = location && !['MCD', 'MPD', 'DY1', 'DY2', 'DY3', 'D48'].includes(location) ? location : undefined
        const texts = issuedTexts(type, office ? undefined : location, now)
        const listed = texts.filter((text) => !office || text.office.endsWith(office))
        return json({ '@context': {}, '@graph': listed.map(entryOf) }, now)
      }
      const id = /^\/products\/([\w-]+)$/.exec(path)?.[1]
      if (id === undefined) return undefined
      const extra = extras.find(({ text }) => text.id === id)
      const text = extra?.text ?? textById(id, now)
      if (!text || extra?.fault === 'gone') return undefined
      if (extra?.fault === 'json') return file('{"productText": "cut sh', now, 'application/ld+json')
      return json({ ...entryOf(text), productText: productText(text, extra?.fault) }, text.at)
    },
  }
}

function textById(id: string, now: number): SimulatedText | undefined {
  const name = id.split('-')[1]?.toUpperCase() ?? ''
  const type = { MCD: 'SWO', MPD: 'FFG' }[name] ?? name
  return textsAt(type, undefined, now).find((text) => text.id === id)
}

function entryOf(text: SimulatedText): object {
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

function productText(text: SimulatedText, fault: TextFault | undefined): string {
  if (fault === 'html') return '<!DOCTYPE html><html><body>Simulated error page</body></html>'
  const office = fault === 'office' ? 'KZZZ' : text.office
  const awips = fault === 'kind' ? `ZZZ${text.awips.slice(3)}` : text.awips
  const body = text.body()
  const words = `\n000\n${text.wmo} ${office} ${ddhhmm(text.at)}\n${awips}\n\n${body}`
  if (fault === 'cut') return words.slice(0, words.lastIndexOf('$$') >> 1)
  return fault === 'control' ? words.replace('.', '\u0000') : words
}

/** Issues a text for a request to `/_texts`. @returns the faults and the issued texts */
function command(extras: ExtraText[], query: URLSearchParams, now: number): object {
  if (query.has('clear')) extras.length = 0
  const at = Math.floor(now / MINUTE) * MINUTE
  const fault = query.get('wrong') as TextFault | null
  const office = writers().find(({ id }) => id === query.get('office'))
  const [lat, lon] = [Number(query.get('lat')), Number(query.get('lon'))]
  let text: SimulatedText | undefined
  if (office) text = afd(office, at)
  else if (query.has('lat')) {
    const kind = query.get('kind') === 'MPD' ? 'MPD' : 'MCD'
    const until = now + Number(query.get('minutes') ?? 60) * MINUTE
    text = discussion(kind, 9001 + (extras.length % 900), at, until, box(lat - 1, lon - 1, lat + 1, lon + 1))
  }
  // Several texts may be issued in a minute, so each gets an id of its own.
  if (text && extras.length < 1000) {
    extras.push({ text: { ...text, id: `${text.id}-x${extras.length}` }, ...(fault && fault in faults && { fault }) })
  }
  return { wrongs: faults, issued: extras.map((extra) => ({ id: extra.text.id, wrong: extra.fault ?? null })) }
}

function json(value: object, lastModified: number): MirrorObject {
  return file(JSON.stringify(value), lastModified, 'application/ld+json')
}

function file(text: string, lastModified: number, type: string): MirrorObject {
  return { etag: nameTag(text), lastModified, type, body: () => new TextEncoder().encode(text) }
}

export const sources = (): readonly SimulatedHost[] => [textFeed()]
