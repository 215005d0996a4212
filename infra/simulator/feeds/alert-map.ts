import { polygonsOf } from '../../../ingest/geo/polygon.ts'
import { zoneRings } from '../../../ingest/geo/zone.ts'
import { alertsAt, type SimulatedAlert } from '../alerts.ts'
import { alertMapFact } from '../facts.ts'
import { nameTag, type SimulatedHost } from '../source.ts'
import { simulatedZones } from '../zones.ts'
import { geoJson } from './alerts.ts'

/** Events of the layer of warnings of short duration. */
const SHORT = /^(Tornado|Severe Thunderstorm|Flash Flood|Snow Squall|Special Marine) Warning$/

/**
 * NOAA's map service of watches and warnings, with the alerts of the simulated feed: a row for the polygon of a
 * warning, or for each zone.
 * @param maxRows maximum number of rows of an answer
 */
export function alertMap(maxRows: number = alertMapFact.maxRows): SimulatedHost {
  return {
    host: alertMapFact.host,
    find(path, query, now) {
      const layer = alertMapFact.layers.findIndex((_, number) => path === `${alertMapFact.path}/${number}/query`)
      if (layer < 0) return undefined
      const ids = /^cap_id IN \((.+)\)$/.exec(query.get('where') ?? '')?.[1]?.split(',')
      const all = alertsAt(now)
        .filter(({ status, event }) => status === 'Actual' && (layer > 0 || SHORT.test(event)))
        .flatMap((alert) => rowsOf(alert, now))
      const chosen = ids ? all.filter(({ fields }) => ids.includes(`'${fields.cap_id}'`)) : all
      const offset = Number(query.get('resultOffset') ?? 0)
      const page = chosen.slice(offset, offset + Math.min(maxRows, Number(query.get('resultRecordCount') ?? maxRows)))
      const withOutlines = query.get('returnGeometry') !== 'false'
      const features = page.map(({ fields, geometry }) => ({
        type: 'Feature',
        id: fields.objectid,
        geometry: withOutlines ? geometry() : null,
        properties: fields,
      }))
      const hasMore = offset + page.length < chosen.length
      return geoJson({ type: 'FeatureCollection', ...(hasMore && { exceededTransferLimit: true }), features }, now)
    },
  }
}

interface SimulatedMapRow {
  readonly fields: Readonly<Record<(typeof alertMapFact.fields)[number], string | number>>
  geometry(): object | null
}

/** Delay from the issue of an alert until the service has its row. */
const TAKEN_AFTER_MS = 20_000

function rowsOf(alert: SimulatedAlert, now: number): SimulatedMapRow[] {
  const time = (at: number) => new Date(at).toISOString().replace('.000Z', '+00:00')
  const shapes = alert.ring
    ? [() => ({ type: 'Polygon', coordinates: [alert.ring] })]
    : alert.zones.map((code) => () => {
        const simulated = simulatedZones(code.slice(0, 2)).find(({ id }) => id === code)
        const rings = simulated?.rings ?? zoneRings(code)
        return rings ? { type: 'MultiPolygon', coordinates: polygonsOf(rings) } : null
      })
  return shapes.map((geometry, part) => ({
    geometry,
    fields: {
      objectid: Number.parseInt(nameTag(`${alert.id} ${part}`).slice(1, 9), 16),
      prod_type: alert.event,
      msg_type: alert.action,
      phenom: alert.phenomenon,
      url: `https://api.weather.gov/alerts/${alert.id}`,
      expiration: time(alert.expires),
      onset: time(Math.max(alert.begin, alert.sent)),
      ends: time(alert.ends),
      issuance: time(alert.sent),
      event: String(alert.etn).padStart(4, '0'),
      sig: alert.significance,
      wfo: `K${alert.office}`,
      idp_filedate: now - TAKEN_AFTER_MS,
      idp_ingestdate: now,
      cap_id: alert.id,
    },
  }))
}

export const sources = (): readonly SimulatedHost[] => [alertMap()]
