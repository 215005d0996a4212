import { XMLBuilder } from 'fast-xml-parser'
import { coordinatesOf } from '../../ingest/domain/shape/shape.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { LiveAlert } from '../live/alert-index.ts'

/** Sender of every CAP message of the National Weather Service. */
const SENDER = 'w-nws.webmaster@noaa.gov'

const builder = new XMLBuilder({ ignoreAttributes: false, suppressEmptyNode: true, format: true })

/** XML text of an element; attributes are members that begin with `@_`. Values are escaped. */
export function xml(root: object): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(root)}`
}

/** CAP allows no Z: UTC is an offset of -00:00. */
const capTime = (at: Instant) => new Date(at).toISOString().replace(/\.\d{3}Z$/, '-00:00')

/**
 * One alert as a CAP 1.2 message (OASIS), its elements in the order of the schema.
 * @param simulated gives a message of the status Test: nobody may take it for a warning
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
          ...(alert.polygon && { polygon: coordinatesOf(alert.polygon).map((rings) => ringText(rings[0]!)) }),
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
  const given = Object.entries(record.parameters).flatMap(([valueName, values]) =>
    values.map((value) => ({ valueName, value })),
  )
  if ('eventEndingTime' in record.parameters) return given
  return [...given, { valueName: 'eventEndingTime', value: capTime(record.ends) }]
}

/** `lat,lon` pairs; longitudes that run past 180 are brought back. */
function ringText(ring: readonly (readonly number[])[]): string {
  return ring.map(([lon, lat]) => `${lat},${lon! > 180 ? lon! - 360 : lon! < -180 ? lon! + 360 : lon}`).join(' ')
}
