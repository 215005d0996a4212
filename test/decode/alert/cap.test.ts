import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCap } from '../../../ingest/decode/alert/cap.ts'
import { readAlertGeoJson } from '../../../ingest/decode/alert/geojson.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { squareDegrees } from '../../../ingest/domain/shape/ring.ts'

const folder = '../shared/fixtures/text/alerts'
const there = existsSync(folder)
const read = (name: string) => readCap(readFileSync(`${folder}/cap-xml/${name}`, 'utf8'))
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Writes a feature of the GeoJSON feed as the CAP 1.2 document from which it came. */
function capOf(feature: {
  geometry: { coordinates: [number, number][][] } | null
  // biome-ignore lint/suspicious/noExplicitAny: a feature as parsed
  properties: Record<string, any>
}): string {
  const p = feature.properties
  const tag = (name: string, value: string | null | undefined) => (value ? `<${name}>${xml(value)}</${name}>` : '')
  const pair = (tagName: string, name: string, value: string) =>
    `<${tagName}><valueName>${name}</valueName><value>${xml(value)}</value></${tagName}>`
  const references = p['references']
    .map((reference: Record<string, string>) => `${reference.sender},${reference.identifier},${reference.sent}`)
    .join(' ')
  const drawn = feature.geometry?.coordinates[0]?.map(([lon, lat]) => `${lat},${lon}`).join(' ')
  return `<?xml version="1.0" encoding="UTF-8"?><alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">
  ${tag('identifier', p['id'])}${tag('sender', p['sender'])}${tag('sent', p['sent'])}${tag('status', p['status'])}${tag('msgType', p['messageType'])}
  <scope>Public</scope>${tag('references', references)}
  <info><language>en-US</language>${tag('category', p['category'])}${tag('event', p['event'])}${tag('responseType', p['response'])}
  ${tag('urgency', p['urgency'])}${tag('severity', p['severity'])}${tag('certainty', p['certainty'])}${tag('effective', p['effective'])}
  ${tag('onset', p['onset'])}${tag('expires', p['expires'])}${tag('senderName', p['senderName'])}${tag('headline', p['headline'])}
  ${tag('description', p['description'])}${tag('instruction', p['instruction'])}
  ${Object.entries(p['parameters'] as Record<string, string[]>)
    .flatMap(([name, values]) => values.map((value) => pair('parameter', name, value)))
    .join('')}
  <area>${tag('areaDesc', p['areaDesc'])}${drawn ? tag('polygon', drawn) : ''}
  ${(p['geocode']['SAME'] ?? []).map((code: string) => pair('geocode', 'SAME', code)).join('')}
  ${(p['geocode']['UGC'] ?? []).map((code: string) => pair('geocode', 'UGC', code)).join('')}</area></info></alert>`
}

describe('alerts as CAP', () => {
  it('rejects a document that is not CAP', () => {
    for (const text of ['<html><body>busy</body></html>', '', 'x', '<alert><identifier>a</ident'])
      expect(() => readCap(text), text).toThrow(/^CAP: the document /)
  })

  it('reads a document whose valueName is a member of every object', () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']
    const parameters = names
      .map((name) => `<parameter><valueName>${name}</valueName><value>v-${name}</value></parameter>`)
      .join('')
    const { messages, rejected } =
      readCap(`<alert><identifier>m</identifier><sender>s</sender><sent>2026-05-01T12:00:00-06:00</sent>
      <status>Actual</status><msgType>Alert</msgType><info><event>Flood Warning</event><expires>2026-05-01T13:00:00-06:00</expires>
      ${parameters}<area><areaDesc>a</areaDesc>${names
        .map((name) => `<geocode><valueName>${name}</valueName><value>x</value></geocode>`)
        .join('')}<geocode><valueName>UGC</valueName><value>COC001</value></geocode></area></info></alert>`)
    expect(rejected).toEqual([])
    expect(messages.map(({ head }) => [head.event, head.areas])).toEqual([['Flood Warning', ['COC001']]])
    expect(({} as Record<string, unknown>)['0']).toBeUndefined()
  })

  it('uses the areas of every English block of the event, and no text in another language', () => {
    const block = (language: string, event: string, codes: string[]) =>
      `<info><language>${language}</language><event>${event}</event><expires>2026-05-01T13:00:00-06:00</expires>${codes
        .map(
          (code) =>
            `<area><areaDesc>${code}</areaDesc><geocode><valueName>UGC</valueName><value>${code}</value></geocode></area>`,
        )
        .join('')}</info>`
    const [message] = readCap(`<alert><identifier>m</identifier><sender>s</sender><sent>2026-05-01T12:00:00-06:00</sent>
      <status>Actual</status><msgType>Alert</msgType>${block('es-US', 'Aviso', ['TXC001'])}
      ${block('en-US', 'Flood Warning', ['COC001', 'COC005'])}${block('en-US', 'Flood Warning', ['COC031'])}</alert>`).messages
    expect([message!.head.event, message!.head.areas]).toEqual(['Flood Warning', ['COC001', 'COC005', 'COC031']])
    expect(message!.areaDesc).toBe('COC001; COC005; COC031')
  })

  it('draws a circle if a message contains a circle', () => {
    const [message] =
      readCap(`<alert><identifier>c</identifier><sender>s</sender><sent>2026-05-01T12:00:00-06:00</sent><status>Actual</status>
      <msgType>Alert</msgType><info><event>Test</event><expires>2026-05-01T13:00:00-06:00</expires>
      <area><areaDesc>a</areaDesc><circle>40,-105 11.1195</circle></area></info></alert>`).messages
    const expected = (Math.PI * 0.1 * 0.1) / Math.cos((40 * Math.PI) / 180)
    expect(squareDegrees(message!.geometry!)).toBeCloseTo(expected, 3)
  })
})

describe.skipIf(!there)('recorded CAP (skipped if the fixtures are absent)', () => {
  it('gives the same record as the GeoJSON feed', () => {
    const text = readFileSync(
      `${folder}/active-snapshots/2026-05-14T1635Z.246.weather.gov-guam-7day.restored.geojson`,
      'utf8',
    )
    const features = JSON.parse(text).features
    const fromJson = readAlertGeoJson(text).messages
    const wrapped = `<feed>${features.map(capOf).join('').replaceAll('<?xml version="1.0" encoding="UTF-8"?>', '')}</feed>`
    const fromCap = readCap(wrapped).messages
    expect(fromCap.length).toBe(246)
    for (const [i, message] of fromCap.entries()) {
      expect(message.head.areas).toEqual(nth(fromJson, i).head.areas)
      expect({ ...message.head, fingerprint: '' }).toEqual({ ...nth(fromJson, i).head, fingerprint: '' })
      expect(message.highlights).toEqual(nth(fromJson, i).highlights)
      expect(message.geometry).toEqual(nth(fromJson, i).geometry)
      expect(message.ends).toEqual(nth(fromJson, i).ends)
    }
  })

  it('reads real documents of other senders', () => {
    const [warning] = read('cap11-nws-nws-5c2cf27b1f56885d61654dc47fa411d5.xml').messages
    expect(warning!.head.vtec.length).toBe(1)
    expect(warning!.head.areas.length).toBeGreaterThan(0)
    expect(nth(read('cap11-nws-SVS-EXP-BOX-20211212.xml').messages, 0).head.vtec[0]).toMatchObject({
      action: 'EXP',
      office: 'KBOX',
    })
    for (const name of [
      'ipaws-5e6dd9de023f1930ef6548d9.xml',
      'v1dot2_appendix_adot2.xml',
      'google-weather.cap',
      'google-PAAQ-4-mg5a94.xml',
      'google-wcatwc-warning.cap',
    ]) {
      const { messages, rejected } = read(name)
      expect(messages.length + rejected.filter(({ isAccepted }) => !isAccepted).length, name).toBe(1)
    }
    expect(nth(read('v1dot2_appendix_adot2.xml').messages, 0).geometry).toBeDefined()
  })
})
