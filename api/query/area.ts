import { areaCodes } from '../../ingest/domain/alert/ugc.ts'
import { nearest } from '../../ingest/domain/nearest.ts'
import { stateByCode } from '../../ingest/geo/state.ts'
import { officeById, officeList, zoneList, zonesById } from '../../ingest/geo/zone.ts'
import { Problem } from '../problem.ts'
import { nearestWord } from './query.ts'

const MAX_SUGGESTIONS = 3

/** Returns the zone codes of the same kind and state with the nearest numbers, else the nearest code by spelling. */
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
 * Checks that a zone, area and office exist. An unknown code has no alerts, which would read as an all-clear.
 * @param isActive whether an active alert names a zone, because new codes may be missing from the packaged list
 * @throws Problem not-found with the nearest codes
 */
export function requireArea(
  { zone, area, office }: { zone?: string | undefined; area?: string | undefined; office?: string | undefined },
  isActive: (zone: string) => boolean,
): void {
  if (zone !== undefined && zonesById(zone).length === 0 && !isActive(zone)) {
    throw unknownArea('zone', zone, nearestZones(zone))
  }
  if (area !== undefined && !areaCodes.includes(area)) throw unknownArea('area', area, [nearestWord(area, areaCodes)])
  if (office !== undefined && !officeById(office)) throw unknownArea('office', office, nearestOffices(office))
}

const nearestOffices = (code: string) =>
  nearest(
    code,
    officeList().map(({ id }) => id),
  )

function unknownArea(name: string, code: string, nearest: readonly string[]): Problem {
  return unknownCode(name, name, code, nearest, ' This is not an all-clear.')
}

/** The problem for a code that is in no list, with the nearest codes. @param kind what the code names, such as `radar` */
export function unknownCode(field: string, kind: string, code: string, nearest: readonly string[], note = ''): Problem {
  const near = nearest.length > 0 ? ` Nearest: ${nearest.join(', ')}.` : ''
  const detail = `\`${field}\`: no ${kind} "${code}" is known.${near} Change \`${field}\` and try again.${note}`
  return new Problem('not-found', detail, {
    members: { field, ...(nearest.length > 0 && { candidates: nearest }) },
  })
}

/** Returns the id of an office: BOU for `bou` and `KBOU`. @throws Problem not-found with the nearest ids */
export function requireOffice(field: string, code: string): string {
  const office = officeById(code)
  if (!office) throw unknownCode(field, 'forecast office', code, nearestOffices(code.toUpperCase().slice(-3)))
  return office.id
}

/** The problem for a zone that is in no list, with the nearest codes. */
export const unknownZone = (field: string, code: string): Problem =>
  unknownCode(field, 'zone', code, nearestZones(code.toUpperCase()))

/**
 * Rejects a code that is not a state, and that no entry of the list has as its state.
 * @throws Problem not-found with the nearest codes
 */
export function requireState(state: string | undefined, list: readonly { readonly state: string }[]): void {
  if (state === undefined || stateByCode.has(state) || list.some((entry) => entry.state === state)) return
  throw unknownCode('state', 'state', state, nearest(state, [...stateByCode.keys()]))
}
