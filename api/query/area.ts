import { areaCodes } from '../../ingest/domain/ugc.ts'
import { officeById, officeList, zoneList, zonesById } from '../../ingest/geo/zone.ts'
import { Problem } from '../problem.ts'
import { nearestWord } from './query.ts'

const MAX_SUGGESTIONS = 3

/** Zone codes of the same kind and state with the nearest numbers, else the nearest by spelling. */
function nearestZones(code: string): string[] {
  const number = Number(code.slice(3))
  const alike = [...new Set(zoneList().map(({ id }) => id))].filter((id) => id.startsWith(code.slice(0, 3)))
  const near = alike.sort((a, b) => Math.abs(Number(a.slice(3)) - number) - Math.abs(Number(b.slice(3)) - number))
  return near.length > 0
    ? near.slice(0, MAX_SUGGESTIONS)
    : [
        nearestWord(
          code,
          zoneList().map(({ id }) => id),
        ),
      ]
}

/**
 * An unknown zone, area or office has no alerts, which would read as an all-clear.
 * @param active whether a zone is named by an alert: codes newer than the packaged list are known so
 * @throws Problem not-found with the nearest codes
 */
export function requireArea(
  { zone, area, office }: { zone?: string | undefined; area?: string | undefined; office?: string | undefined },
  active: (zone: string) => boolean,
): void {
  if (zone !== undefined && zonesById(zone).length === 0 && !active(zone)) {
    throw notFound('zone', zone, nearestZones(zone))
  }
  if (area !== undefined && !areaCodes.includes(area)) throw notFound('area', area, [nearestWord(area, areaCodes)])
  if (office !== undefined && !officeById(office)) {
    throw notFound('office', office, [
      nearestWord(
        office,
        officeList().map(({ id }) => id),
      ),
    ])
  }
}

function notFound(name: string, code: string, nearest: readonly string[]): Problem {
  return new Problem(
    'not-found',
    `${name}: no ${name} "${code}" is known. Nearest: ${nearest.join(', ')}. This is not an all-clear.`,
  )
}
