import { createHash } from 'node:crypto'
import PQueue from 'p-queue'
import { lockAlerts, removeStandIns } from '../../../sql/queries/alerts.ts'
import { nextVersion, setVersion } from '../../../sql/queries/feeds.ts'
import {
  insertZones,
  markChecked,
  type NewShape,
  unknownZones,
  useShapes,
  type ZoneKey,
  zonesToCheck,
} from '../../../sql/queries/zones.ts'
import type { Queries } from '../../../sql/session.ts'
import { readZone } from '../../decode/zone.ts'
import { zoneUrl } from '../../domain/alert/ugc.ts'
import { isFault } from '../../domain/fault.ts'
import { coverOf } from '../../domain/shape/cover.ts'
import { type MultiPolygon, normalized } from '../../domain/shape/ring.ts'
import { wkbOf } from '../../domain/shape/shape.ts'
import { polygonsOf } from '../../geo/polygon.ts'
import { zoneList, zoneRings } from '../../geo/zone.ts'
import type { Database } from '../../ports/database.ts'
import type { Upstream } from '../../ports/upstream.ts'

/** Geometries change twice a year; they are read again after this many days. */
const RETRY_AFTER_DAYS = 30
const ZONES_PER_SWEEP = 8

/**
 * Inserts zones that no alert has named before, with the packaged geometry if there is one, so that an alert has an
 * area before the geometry is read from the NWS.
 * @returns the zones without a known geometry
 */
export async function registerZones(tx: Queries, zones: readonly ZoneKey[], version: number): Promise<ZoneKey[]> {
  const unregistered = await unknownZones(tx, zones)
  const known: NewShape[] = []
  const withoutShape: ZoneKey[] = []
  for (const [i, zone] of unregistered.entries()) {
    // A cold start inserts thousands of zones, so the loop yields to the event loop.
    if (i % 25 === 24) await new Promise((resolve) => setImmediate(resolve))
    const area = packaged(zone)
    if (area) known.push({ ...zone, version: 'packaged', name: '', wkb: wkbOf(area), cells: coverOf(area) })
    else withoutShape.push(zone)
  }
  await useShapes(tx, known, version)
  if (withoutShape.length > 0) await insertZones(tx, withoutShape)
  return withoutShape
}

function packaged({ kind, code }: ZoneKey): MultiPolygon | undefined {
  if (code.endsWith('C000')) return countiesOf(code.slice(0, 2))
  const rings = zoneRings(code, kind)
  return rings && normalized(polygonsOf(rings))
}

/** Returns the counties of a zone code that names a whole state. */
function countiesOf(state: string): MultiPolygon | undefined {
  const area = zoneList()
    .filter((zone) => zone.kind === 'county' && zone.state === state)
    .flatMap(({ id }) => normalized(polygonsOf(zoneRings(id) ?? [])) ?? [])
  return area.length > 0 ? area : undefined
}

export interface ZonePorts {
  readonly database: Database
  readonly upstream: Upstream
}

/**
 * Reads missing and outdated geometries from the NWS, beginning with zones of published alerts. Each geometry is used
 * at once under its own version; older geometries stay in the table. A zone that the NWS does not know is requested
 * again after an hour.
 * @param most maximum number of zones to request
 * @returns the number of changed geometries, and the zones for which neither the NWS nor the package has a geometry
 */
export async function loadZones(
  { database, upstream }: ZonePorts,
  most = 400,
): Promise<{ changed: number; unknown: readonly ZoneKey[] }> {
  const dueZones = await zonesToCheck(database, most, RETRY_AFTER_DAYS)
  let changed = 0
  let refused = 0
  const unknown: ZoneKey[] = []
  for (let i = 0; i < dueZones.length && refused < ZONES_PER_SWEEP; i += ZONES_PER_SWEEP * 4) {
    const part = dueZones.slice(i, i + ZONES_PER_SWEEP * 4)
    const came: NewShape[] = []
    const take = async (zone: (typeof part)[number]) => {
      try {
        const shape = await askZone(upstream, zone, zone.version === 'packaged' ? null : zone.etag)
        if (shape === 'same') await markChecked(database, zone)
        else came.push(shape)
      } catch (error) {
        if (!isFault(error)) throw error
        if (error.kind === 'Refused') {
          // A refusal by a busy server is not about the zone, which is requested again in the next round.
          refused++
          return
        }
        await markChecked(database, zone, error.message)
        if (zone.version === null) unknown.push(zone)
      }
    }
    await new PQueue({ concurrency: ZONES_PER_SWEEP }).addAll(part.map((zone) => () => take(zone)))
    if (came.length === 0) continue
    changed += came.length
    await database.transaction(async (tx) => {
      // Versions become visible in order only if writers wait for each other.
      await lockAlerts(tx)
      const version = await nextVersion(tx)
      await useShapes(tx, came, version)
      await removeStandIns(tx, version)
      await setVersion(tx, 'alerts', version)
    })
  }
  return { changed, unknown }
}

/** Returns whether `loadZones` would request a zone. */
export async function hasZonesToCheck(database: Database): Promise<boolean> {
  return (await zonesToCheck(database, 1, RETRY_AFTER_DAYS)).length > 0
}

async function askZone(upstream: Upstream, zone: ZoneKey, etag: string | null): Promise<NewShape | 'same'> {
  const reply = await upstream.get(zoneUrl(zone.kind, zone.code), {
    ifNoneMatch: etag ?? undefined,
    accept: 'application/geo+json',
    attempts: 2,
    idleMs: 10_000,
  })
  if (reply.status === 304) return 'same'
  const text = new TextDecoder().decode(reply.bytes)
  const { name, effective, area } = readZone(text, zone.kind, zone.code)
  const digest = createHash('sha256').update(JSON.stringify(area)).digest('hex').slice(0, 12)
  return {
    kind: zone.kind,
    code: zone.code,
    version: effective ? `${effective.slice(0, 10)}/${digest}` : digest,
    name,
    wkb: wkbOf(area),
    cells: coverOf(area),
    effective,
    etag: reply.etag,
  }
}
