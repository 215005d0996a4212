import { XMLBuilder } from 'fast-xml-parser'
import { coordinatesOf } from '../../ingest/domain/shape/shape.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { LiveAlert } from '../live/alert-index.ts'

/** Sender of every CAP message of the National Weather Service. */
const SENDER = 'w-nws.webmaster@noaa.gov'

const builder = new XMLBuilder({ ignoreAttributes: false, suppressEmptyNode: true, format: true })

/** Returns an element as XML with escaped values; members whose names begin with `@_` are attributes. */
export function xml(root: object): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(root)}`
}

/** Returns a time in UTC as CAP requires it, with the offset -00:00 instead of Z. */
const capTime = (at: Instant) => new Date(at).toISOString().replace(/\.\d{3}Z$/, '-00:00')

/**
 * Returns an alert as a CAP 1.2 message (OASIS), with elements in the order of the schema.
 * @param simulated whether the message gets the status Test, so that it is not mistaken for a warning
 */
export function capOf(alert: LiveAlert, simulated: boolean): string {
  const { head, record } = alert
  return xml({
    alert: {
      '@_xmlns': 'urn:oasis:names:tc:emergency:cap:1.2',
      identifier: head.id,
      sender: SENDER,
      sent: capTime(head.sent),
      status: simulated ? 'Test' : head.status,
      msgType: head.kind,
      scope: 'Public',
      ...(simulated && { note: 'Simulated weather: this is not a warning.' }),
      info: {
        language: 'en-US',
        category: record.category || 'Met',
        event: head.event,
        ...(record.response && { responseType: record.response }),
        urgency: record.urgency,
        severity: record.severity,
        certainty: record.certainty,
        effective: capTime(record.effective),
        onset: capTime(record.onset),
        expires: capTime(record.expires),
        senderName: record.sender,
        headline: record.headline,
        ...(record.description && { description: record.description }),
        ...(record.instruction && { instruction: record.instruction }),
        parameter: parametersOf(alert),
        area: {
          areaDesc: record.areaDesc || alert.areas.join('; ') || 'unknown',
          ...(alert.polygon && { polygon: coordinatesOf(alert.polygon).map(([ring = []]) => ringText(ring)) }),
          geocode: [
            ...record.same.map((value) => ({ valueName: 'SAME', value })),
            ...alert.areas.map((value) => ({ valueName: 'UGC', value })),
          ],
        },
      },
    },
  })
}

function parametersOf({ record }: LiveAlert): object[] {
  const parameters = Object.entries(record.parameters).flatMap(([valueName, values]) =>
    values.map((value) => ({ valueName, value })),
  )
  if ('eventEndingTime' in record.parameters) return parameters
  return [...parameters, { valueName: 'eventEndingTime', value: capTime(record.ends) }]
}

/** Returns a ring as `lat,lon` pairs, with longitudes from -180 to 180. */
function ringText(ring: readonly (readonly number[])[]): string {
  return ring.map(([lon = 0, lat]) => `${lat},${lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon}`).join(' ')
}
