import { LRUCache } from 'lru-cache'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { ModelFact } from './facts.ts'
import {
  at,
  c3,
  type InstantField,
  instant,
  interval,
  layer,
  type MessageScene,
  map,
  type SimulatedMessage,
  sea,
} from './message.ts'
import type { PackingDefinition } from './packing.ts'
import { fall, planesOf } from './planes.ts'

// A member of the ensemble is the simulated sky some whole hours earlier or later, so each probability is a count that a test can repeat.

type SimulatedDomain = ModelFact['domain']
type Builder = (run: number, lead: number) => readonly SimulatedMessage[]

/** Returns the number of members at a lead, which falls as HRRR and the lagged runs end. Hawaii begins with 12. */
export function refsMembers(domain: SimulatedDomain, lead: number): number {
  const most = lead >= 60 ? 6 : lead >= 49 ? 12 : lead >= 43 ? 13 : 14
  return domain === 'hawaii' ? Math.min(12, most) : most
}

/** Returns the times of the members for a valid time, ms. */
export function memberTimes(domain: SimulatedDomain, lead: number, valid: number): readonly number[] {
  const count = refsMembers(domain, lead)
  return Array.from({ length: count }, (_, k) => valid + (k - Math.floor(count / 2)) * HOUR)
}

/** REFS packs every field by template 5.3, and a field of one value without groups. */
const packed = (decimal: number): PackingDefinition => ({ ...c3(decimal), noGroups: true })

/** Limits in the text of the index and in m or mm: scaled value and its decimal scale. */
interface EnsembleLimit {
  readonly text: string
  readonly scale: number
  readonly value: number
}
const limits = (...texts: readonly string[]): readonly EnsembleLimit[] =>
  texts.map((text) => {
    const scale = text.split('.')[1]?.length ?? 0
    return { text, scale, value: Math.round(Number(text) * 10 ** scale) }
  })
const visibilities = limits('400', '800', '1600', '3200', '4829', '6400', '8049')
const ceilings = limits('152.4', '305', '610', '915', '1372', '1830', '3050')
const snows = limits('0.025', '0.076', '0.152', '0.304', '0.457')
const rains = limits('2.54', '6.35', '12.7', '25.4', '50.8', '76.2', '127')
const drop = limits('0.254')
const dailyRains = limits('12.7', '25.4', '50.8', '76.2', '127', '203.2')

const names = ['visibility', 'ceiling', 'temperature', 'dewPoint', 'windSpeed', 'pressure', 'cloudCover'] as const
type MemberPlane = (typeof names)[number]
type MemberPlanes = Readonly<Record<MemberPlane, Float32Array>>

/** Values at each point by grid and time. The members of a file are of 14 hours, 13 of which the next lead has too. */
const memory = new LRUCache<string, MemberPlanes>({ max: 16 })

function planesAt(grid: MessageScene['grid'], time: number): MemberPlanes {
  const key = `${grid.name}@${time}`
  let planes = memory.get(key)
  if (!planes) {
    const { weather } = planesOf(grid, time)
    planes = Object.fromEntries(names.map((name) => [name, weather[name]])) as MemberPlanes
    memory.set(key, planes)
  }
  return planes
}

/** Returns the values of each member at each point. */
function memberPlanes(domain: SimulatedDomain, { grid, run, leadHours }: MessageScene, name: MemberPlane) {
  return memberTimes(domain, leadHours, run + leadHours * HOUR).map((time) => planesAt(grid, time)[name])
}

/** Returns the percentage of members that are below or above a limit at each point; a missing value is neither. */
function share(members: readonly Float32Array[], side: 'below' | 'above', limit: number): Float32Array {
  const counts = new Float32Array(nth(members, 0).length)
  for (const values of members) {
    for (let k = 0; k < counts.length; k++) {
      const value = values[k]!
      if (side === 'below' ? value < limit : value > limit) counts[k]!++
    }
  }
  return counts.map((count) => (100 * count) / members.length)
}

function mean(members: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(nth(members, 0).length)
  for (const values of members) for (let k = 0; k < sum.length; k++) sum[k]! += values[k]!
  return Float32Array.from(sum.map((value) => value / members.length))
}

function spread(members: readonly Float32Array[]): Float32Array {
  const middle = mean(members)
  const sum = new Float64Array(middle.length)
  for (const values of members) for (let k = 0; k < sum.length; k++) sum[k]! += (values[k]! - middle[k]!) ** 2
  return Float32Array.from(sum.map((value) => Math.sqrt(value / members.length)))
}

const counted = (limit: EnsembleLimit, side: 'below' | 'above', total: number, tail: string) => ({
  probability: {
    ...(side === 'below' ? { type: 0, lower: limit } : { type: 1, upper: limit }),
    number: 0,
    total,
  },
  tail: `prob ${side === 'below' ? '<' : '>'}${limit.text}:prob fcst 0/${total}${tail}`,
})
const thresholdOf = ({ scale, value }: EnsembleLimit) => value / 10 ** scale

const ceiling: InstantField = {
  element: 'HGT',
  level: 'cloud ceiling',
  number: [3, 5],
  surface: { type: 215, value: 0 },
  packing: packed(0),
}

function below(
  domain: SimulatedDomain,
  lead: number,
  field: InstantField,
  name: MemberPlane,
  list: readonly EnsembleLimit[],
) {
  return list.map((limit) =>
    instant(
      lead,
      { ...field, packing: packed(0) },
      (scene) => share(memberPlanes(domain, scene, name), 'below', thresholdOf(limit)),
      counted(limit, 'below', refsMembers(domain, lead), ''),
    ),
  )
}

interface EnsembleAmount {
  readonly field: InstantField
  readonly kind: 'liquid' | 'snow'
  readonly hours: number
  /** Values in the unit of the message for each mm. */
  readonly scale: number
  readonly tail: string
}

function above(
  domain: SimulatedDomain,
  run: number,
  lead: number,
  amount: EnsembleAmount,
  list: readonly EnsembleLimit[],
): SimulatedMessage[] {
  const { field, kind, hours, scale, tail } = amount
  // All limits are of the same amounts.
  let falls: readonly Float32Array[] | undefined
  return list.map((limit) =>
    interval(
      lead,
      hours,
      'acc',
      { ...field, packing: packed(0) },
      ({ grid }) => {
        falls ??= memberTimes(domain, lead, run + lead * HOUR).map((end) => fall(grid, kind, end, hours))
        return share(falls, 'above', thresholdOf(limit) / scale)
      },
      counted(limit, 'above', refsMembers(domain, lead), tail),
    ),
  )
}

const NEARBY = ':Neighborhood Probability'
const windows = (lead: number) => [1, ...(lead % 3 === 0 ? [6, 24] : [])].filter((hours) => hours <= lead)

/** Returns the messages of a `prob` file. */
function probabilities(domain: SimulatedDomain): Builder {
  return (run, lead) => [
    ...below(domain, lead, at.vis, 'visibility', visibilities),
    ...windows(lead)
      .filter((hours) => hours === 24)
      .flatMap((hours) => [
        ...above(domain, run, lead, { field: at.apcp, kind: 'liquid', hours, scale: 1, tail: NEARBY }, dailyRains),
        ...above(domain, run, lead, { field: at.asnow, kind: 'snow', hours, scale: 1e-3, tail: NEARBY }, snows),
      ]),
    ...below(domain, lead, ceiling, 'ceiling', ceilings),
  ]
}

/** Returns the messages of an `eas` file. */
function agreement(domain: SimulatedDomain): Builder {
  return (run, lead) =>
    windows(lead).flatMap((hours) =>
      above(
        domain,
        run,
        lead,
        { field: at.apcp, kind: 'liquid', hours, scale: 1, tail: ':process=197' },
        hours === 24 ? rains : drop,
      ),
    )
}

const pressure: InstantField = {
  element: 'MSLET',
  level: 'mean sea level',
  number: [3, 192],
  surface: sea,
  packing: packed(-1),
}
const clouds: InstantField = {
  ...layer('TCDC', 'entire atmosphere (considered as a single layer)', [6, 1], 200),
  packing: packed(0),
}
const terrain: InstantField = { ...at.cape, element: 'HGT', number: [3, 5], packing: packed(0) }

/** Returns the messages of a `mean` or `sprd` file. The real `sprd` has the terrain twice, with almost the same line. */
function derived(domain: SimulatedDomain, kind: 'mean' | 'sprd'): Builder {
  const isMean = kind === 'mean'
  const how = isMean ? { derived: 1, tail: 'wt ens mean' } : { derived: 4, tail: 'ens spread' }
  const of = isMean ? mean : spread
  return (run, lead) => {
    const field = (base: InstantField, name: MemberPlane, packing = packed(2)) =>
      instant(lead, { ...base, packing }, (scene) => of(memberPlanes(domain, scene, name)), how)
    const flat = (tail = '') =>
      instant(lead, terrain, (scene) => map(scene, () => 0), { ...how, tail: `${how.tail}${tail}` })
    const liquid: SimulatedMessage['values'] = ({ grid }) =>
      of(memberTimes(domain, lead, run + lead * HOUR).map((end) => fall(grid, 'liquid', end, 1)))
    return [
      field(pressure, 'pressure', packed(-1)),
      flat(),
      ...(isMean ? [] : [flat(':process=193')]),
      field(at.tmp, 'temperature'),
      field(at.dpt, 'dewPoint'),
      field(clouds, 'cloudCover', packed(0)),
      interval(lead, 1, 'acc', { ...at.apcp, packing: packed(3) }, liquid, how),
      field(at.wind, 'windSpeed'),
    ]
  }
}

/** The products of REFS: the dataset, and the messages of a file in a domain. */
export const refsProducts: readonly {
  readonly dataset: string
  readonly messages: (domain: SimulatedDomain) => Builder
}[] = [
  { dataset: 'refs', messages: probabilities },
  { dataset: 'refs-agreement', messages: agreement },
  { dataset: 'refs-mean', messages: (domain) => derived(domain, 'mean') },
  { dataset: 'refs-spread', messages: (domain) => derived(domain, 'sprd') },
]
