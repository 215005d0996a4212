import type { DomainId } from '../../ingest/domain/domain.ts'
import { nearest } from '../../ingest/domain/nearest.ts'
import { type Outline, outlineOf } from '../../ingest/geo/outline.ts'
import { counties } from '../../ingest/geo/place.ts'
import { domainOfState, type State, stateByCode, states } from '../../ingest/geo/state.ts'
import { zoneRings, zonesById } from '../../ingest/geo/zone.ts'
import { domainsOf } from '../query/box.ts'
import { boxOutline } from './box-outline.ts'
import { QueryError } from './error.ts'

/** A named area: the union of its outlines. A state is the union of its counties. */
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

/**
 * Returns the requested areas, in the order of the request. @throws QueryError bad-request, not-found,
 * outside-coverage, no-data
 */
export function areasOf({ areas, polygon, bbox }: AreaInput): Area[] {
  if (areas) return areas.map((name, i) => namedArea(name.trim(), `areas.${i}`))
  if (polygon) return [polygonArea(polygon)]
  if (!bbox)
    throw new QueryError(
      'bad-request',
      '`aggregate.over` area needs areas, polygon or bbox, but none of them was given.',
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
      `\`polygon\` must have pairs of [longitude, latitude] in degrees, but has [${lon}, ${lat}].`,
      'give the longitude first; it is negative in the US.',
      { field: 'polygon', got: [lon, lat] },
    )
  }
  return inDomain(outlineOf([corners as [number, number][]]), 'polygon', 'polygon')
}

/** Returns the area of an outline, in the first domain that it touches. @throws QueryError outside-coverage */
function inDomain(outline: Outline, field: string, name: string): Area {
  const { west, south, east, north } = outline
  const domains = domainsOf([west, south, east > 180 ? east - 360 : east, north])
  if (domains.length === 0)
    throw new QueryError(
      'outside-coverage',
      `\`${field}\` lies outside the coverage, which is the 50 US states and DC.`,
      'do not retry; request an area inside the coverage.',
      { field },
    )
  return { name, outlines: [outline], domains: domains.slice(0, 1) }
}

function namedArea(text: string, field: string): Area {
  const state =
    stateByCode.get(text.toUpperCase()) ?? states.find(({ name }) => name.toLowerCase() === text.toLowerCase())
  if (state) {
    const shapes = counties()
    const outlines = shapes.names.flatMap((label, i) =>
      label.startsWith(state.fips) ? [outlineOf(shapes.rings(i))] : [],
    )
    return { name: state.name, outlines, domains: [domainOfState(state.code)] }
  }
  if (/^[A-Za-z]{2}[CZ]\d{3}$/.test(text)) return zoneArea(text.toUpperCase(), field)
  return countyArea(text, field)
}

function zoneArea(code: string, field: string): Area {
  const state = stateByCode.get(code.slice(0, 2))
  const [zone] = zonesById(code)
  if (!zone || !state)
    throw new QueryError(
      'not-found',
      `No county or zone of the 50 states and DC has the code "${code}".`,
      'search_locations tells the zone of a place; a county may be named, such as Tulsa County, OK.',
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
  return { name, outlines: [outlineOf(rings)], domains: [domainOfState(state.code)] }
}

const plainName = (name: string) =>
  name
    .toLowerCase()
    .replace(/ (county|parish|borough|census area|municipality)$/, '')
    .replaceAll(/[^a-z]/g, '')

/** @param text `Tulsa County, OK` or its FIPS code */
function countyArea(text: string, field: string): Area {
  const { names, rings } = counties()
  const words = text.split(/[,\s]/).filter(Boolean)
  const name = words.slice(0, -1).join(' ')
  const state = stateByCode.get((words.at(-1) ?? '').toUpperCase())
  const inState = state ? names.filter((label) => label.startsWith(state.fips)) : []
  const label = /^\d{5}$/.test(text)
    ? names.find((candidate) => candidate.startsWith(text))
    : inState.find((candidate) => plainName(candidate.slice(6)) === plainName(name))
  if (!label) {
    const near = nearest(
      plainName(name || text),
      inState.map((candidate) => plainName(candidate.slice(6))),
    )
      .map((plain) => inState.find((candidate) => plainName(candidate.slice(6)) === plain)?.slice(6))
      .map((name) => `${name} County, ${state?.code}`)
    throw new QueryError(
      'not-found',
      `No state, county or zone is called "${text}".${near.length > 0 ? ` Nearest: ${near.join('; ')}.` : ''}`,
      'name a state by two letters (OK), a county like Tulsa County, OK, a zone like OKZ060.',
      { field, got: text, suggestions: near },
    )
  }
  const owner = [...stateByCode.values()].find(({ fips }) => label.startsWith(fips)) as State
  const outlines = [outlineOf(rings(names.indexOf(label)))]
  return { name: `${label.slice(6)} County, ${owner.code}`, outlines, domains: [domainOfState(owner.code)] }
}
