import type { DomainId } from '../../ingest/domain/domain.ts'
import { nearest } from '../../ingest/domain/nearest.ts'
import { type Outline, outlineOf } from '../../ingest/geo/outline.ts'
import { counties } from '../../ingest/geo/place.ts'
import { type State, stateByCode, states } from '../../ingest/geo/state.ts'
import { zoneRings, zonesById } from '../../ingest/geo/zone.ts'
import { domainsOf } from '../query/box.ts'
import { boxOutline } from './box-outline.ts'
import { QueryError } from './error.ts'

/** A named stretch of land: the union of its outlines (a state is its counties). */
export interface Area {
  readonly name: string
  readonly outlines: readonly Outline[]
  readonly domains: readonly DomainId[]
}

export interface AreaInput {
  readonly areas?: readonly string[]
  readonly polygon?: readonly (readonly number[])[]
  readonly bbox?: readonly number[]
}

/** The areas that are asked for, in their order. @throws QueryError bad-request, not-found, outside-coverage, no-data */
export function areasOf({ areas, polygon, bbox }: AreaInput): Area[] {
  if (areas) return areas.map((name, i) => namedArea(name.trim(), `areas.${i}`))
  if (polygon) return [polygonArea(polygon)]
  if (!bbox)
    throw new QueryError(
      'bad-request',
      'aggregate.over area: wanted areas, polygon or bbox; got none of them.',
      'name states (OK), counties (Tulsa County, OK) or zones (OKZ060) in areas.',
      { field: 'areas' },
    )
  return [inDomain(boxOutline(bbox), 'bbox', `box ${bbox.join(', ')}`)]
}

function polygonArea(corners: readonly (readonly number[])[]): Area {
  for (const [lon, lat] of corners as readonly (readonly [number, number])[]) {
    if (Math.abs(lon) <= 180 && Math.abs(lat) <= 90) continue
    throw new QueryError(
      'bad-request',
      `polygon: wanted [longitude, latitude] pairs in degrees, got [${lon}, ${lat}].`,
      'give the longitude first; it is negative in the US.',
      { field: 'polygon', got: [lon, lat] },
    )
  }
  return inDomain(outlineOf([corners as [number, number][]]), 'polygon', 'polygon')
}

/** @throws QueryError outside-coverage */
function inDomain(outline: Outline, field: string, name: string): Area {
  const domains = domainsOf([outline.west, outline.south, outline.east, outline.north])
  if (domains.length === 0)
    throw new QueryError(
      'outside-coverage',
      `${field} lies outside the coverage, which is the 50 US states and DC.`,
      'do not retry; ask for an area inside.',
      { field },
    )
  return { name, outlines: [outline], domains: domains.slice(0, 1) }
}

const domainOfState = ({ code }: State): DomainId => (code === 'AK' ? 'alaska' : code === 'HI' ? 'hawaii' : 'conus')
function namedArea(given: string, field: string): Area {
  const state =
    stateByCode.get(given.toUpperCase()) ?? states.find(({ name }) => name.toLowerCase() === given.toLowerCase())
  if (state) {
    const shapes = counties()
    const outlines = shapes.names.flatMap((label, i) =>
      label.startsWith(state.fips) ? [outlineOf(shapes.rings(i))] : [],
    )
    return { name: state.name, outlines, domains: [domainOfState(state)] }
  }
  if (/^[A-Za-z]{2}[CZ]\d{3}$/.test(given)) return zoneArea(given.toUpperCase(), field)
  return countyArea(given, field)
}

function zoneArea(code: string, field: string): Area {
  const state = stateByCode.get(code.slice(0, 2))
  const [zone] = zonesById(code)
  if (!zone || !state)
    throw new QueryError(
      'not-found',
      `No county or zone of the 50 states and DC has the code "${code}".`,
      'search_locations gives the zone of a place; a county may be named, as in Tulsa County, OK.',
      { field, got: code },
    )
  const rings = zoneRings(code)
  if (!rings)
    throw new QueryError(
      'no-data',
      `The outline of zone ${code} (${zone.name}) is not available.`,
      'name its counties, or give a polygon.',
      { field, got: code },
    )
  const name = `${zone.name}, ${state.code} (${code})`
  return { name, outlines: [outlineOf(rings)], domains: [domainOfState(state)] }
}

const plainName = (name: string) =>
  name
    .toLowerCase()
    .replace(/ (county|parish|borough|census area|municipality)$/, '')
    .replaceAll(/[^a-z]/g, '')

/** `Tulsa County, OK` or its FIPS code. */
function countyArea(given: string, field: string): Area {
  const { names, rings } = counties()
  const words = given.split(/[,\s]/).filter(Boolean)
  const name = words.slice(0, -1).join(' ')
  const state = stateByCode.get((words.at(-1) ?? '').toUpperCase())
  const inState = state ? names.filter((label) => label.startsWith(state.fips)) : []
  const label = /^\d{5}$/.test(given)
    ? names.find((one) => one.startsWith(given))
    : inState.find((one) => plainName(one.slice(6)) === plainName(name))
  if (!label) {
    const near = nearest(
      plainName(name || given),
      inState.map((one) => plainName(one.slice(6))),
    )
      .map((plain) => inState.find((one) => plainName(one.slice(6)) === plain)?.slice(6))
      .map((name) => `${name} County, ${state?.code}`)
    throw new QueryError(
      'not-found',
      `No state, county or zone is called "${given}".${near.length > 0 ? ` Nearest: ${near.join('; ')}.` : ''}`,
      'name states by two letters (OK), counties as in Tulsa County, OK, zones as in OKZ060.',
      { field, got: given, suggestions: near },
    )
  }
  const owner = [...stateByCode.values()].find(({ fips }) => label.startsWith(fips)) as State
  const outlines = [outlineOf(rings(names.indexOf(label)))]
  return { name: `${label.slice(6)} County, ${owner.code}`, outlines, domains: [domainOfState(owner)] }
}
