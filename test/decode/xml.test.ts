import { describe, expect, it } from 'vitest'
import { readAlertAtom } from '../../ingest/decode/alert/atom.ts'
import { readCap } from '../../ingest/decode/alert/cap.ts'
import { nth } from '../../ingest/domain/nth.ts'

const cap = (event: string, description: string, polygon: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>river-7</identifier>
  <sender>desk@example.org</sender><sent>2026-04-18T09:00:00-05:00</sent><status>Actual</status><msgType>Alert</msgType>
  <info><language>en-US</language><event>${event}</event><expires>2026-04-18T15:00:00-05:00</expires>
  <description>${description}</description><area><areaDesc>River bend</areaDesc><polygon>${polygon}</polygon></area></info></alert>`

const corners = ['35,-92', '35,-91.5', '35.4,-91.5', '35.4,-92', '35,-92']

describe('character references in XML feeds', () => {
  it.each([
    ['decimal', 'Flood&#32;Warning', 'Flood Warning'],
    ['hexadecimal', 'Flood&#x20;Warning', 'Flood Warning'],
    ['padded with zeros', 'Flood&#0032;Warning', 'Flood Warning'],
    ['at both ends', '&#10;Flood Warning&#x9;', 'Flood Warning'],
    ['beyond the first plane', 'Flood &#x1F30A;', 'Flood 🌊'],
    ['named', '&lt;&gt;&amp;&quot;&apos;', `<>&"'`],
    ['escaped once more', 'Flood&amp;#32;Warning &amp;amp; &amp;lt;', 'Flood&#32;Warning &amp; &lt;'],
    ['of an ampersand', '&#38;lt; &#38;#60; &#x26;#x3c;', '&lt; &#60; &#x3c;'],
    ['in CDATA, where they are text', '<![CDATA[a &#32; b &amp; c]]>', 'a &#32; b &amp; c'],
  ])('are decoded once in CAP: %s', (_, written, read) => {
    const [message] = readCap(cap(written, `up to 5&#xB0; ${written}`, corners.join(' '))).messages
    expect(message!.head.event).toBe(read)
    expect(message!.description).toContain('up to 5°')
  })

  it.each(['&#32;', '&#10;', '&#x0A;', '&#9;\n'])('separate the corners of a polygon: %j', (separator) => {
    const { messages, rejected } = readCap(cap('Flood Warning', 'd', corners.join(separator)))
    expect(rejected).toEqual([])
    expect(nth(nth(nth(messages, 0).geometry!, 0), 0).length).toBe(5)
  })

  it('are decoded in the Atom index', () => {
    const atom = `<feed><updated>2026-04-18T14:00:00&#43;00:00</updated><entry><id>https&#58;//api.weather.gov/alerts/urn&#x3A;oid:2.49&#46;7&#10;</id></entry></feed>`
    expect(readAlertAtom(atom)).toEqual({ ids: ['urn:oid:2.49.7'], updated: Date.UTC(2026, 3, 18, 14) })
  })
})
