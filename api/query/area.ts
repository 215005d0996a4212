import { areaCodes } from '../../ingest/domain/alert/ugc.ts'
import { nearest } from '../../ingest/domain/nearest.ts'
import { stateByCode } from '../../ingest/geo/state.ts'
import { officeById, officeList, zoneList, zonesById } from '../../ingest/geo/zone.ts'
import { Problem } from '../problem.ts'
import { nearestWord } from './query.ts'

const MAX_SUGGESTIONS = 3

/** Zone codes of the same kind and state with the nearest numbers, else the nearest by spelling. */
export function nearestZones(code: string): string[] {
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
  if (office !== undefined && !officeById(office)) throw notFound('office', office, nearestOffices(office))
}

const nearestOffices = (code: string) =>
  nearest(
    code,
    officeList().map(({ id }) => id),
  )

function notFound(name: string, code: string, nearest: readonly string[]): Problem {
  return unknownCode(name, name, code, nearest, ' This is not an all-clear.')
}

/** A code that is in no list, as a problem with the nearest codes. @param what its kind: `radar` */
export function unknownCode(field: string, what: string, code: string, nearest: readonly string[], note = ''): Problem {
  const near = nearest.length > 0 ? ` Nearest: ${nearest.join(', ')}.` : ''
  return new Problem('not-found', `${field}: no ${what} "${code}" is known.${near}${note}`, {
    members: { field, ...(nearest.length > 0 && { candidates: nearest }) },
  })
}

/** The id of an office: BOU for `bou` and `KBOU`. @throws Problem not-found with the nearest ids */
export function requireOffice(field: string, code: string): string {
  const office = officeById(code)
  if (!office) throw unknownCode(field, 'forecast office', code, nearestOffices(code.toUpperCase().slice(-3)))
  return office.id
}

/** A zone that is in no list, as a problem with the nearest codes. */
export const unknownZone = (field: string, code: string): Problem =>
  unknownCode(field, 'zone', code, nearestZones(code.toUpperCase()))

/**
 * Refuses a state that is none, and has nothing in the list that it would be looked up in.
 * @throws Problem not-found with the nearest codes
 */
export function requireState(state: string | undefined, list: readonly { readonly state: string }[]): void {
  if (state === undefined || stateByCode.has(state) || list.some((one) => one.state === state)) return
  throw unknownCode('state', 'state', state, nearest(state, [...stateByCode.keys()]))
}
