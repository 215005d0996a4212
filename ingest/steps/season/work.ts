import { PAST_VARIABLES } from '../../domain/dataset/past-hours.ts'
import { SEASON_MAX, SEASON_MIN, SEASON_VARIABLE } from '../../domain/dataset/season.ts'
import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { DAY, type Instant } from '../../domain/time.ts'
import { zone } from '../../domain/timezone.ts'
import { joinSlabs, readSlabHead, type SlabIdentity } from '../../tile/slab.ts'
import { itemOf, SlabCodes } from '../../tile/slab-codes.ts'
import type { AmountsTask } from './amounts.ts'
import { type CellZones, zonesOfCells } from './cell-zones.ts'
import { dailyExtremes, type HourSlab } from './daily-extremes.ts'

/** Extracts the stored variables from the slabs of an analysis. */
export interface SeasonHourTask {
  readonly kind: 'season-hour'
  readonly name: string
  readonly bytes: Uint8Array
}

export interface SeasonHourResult {
  readonly bytes: Uint8Array
  /** Id of the cells. */
  readonly cover: string
}

/** Looks up the time zones of the cells of a slab. */
export interface SeasonZonesTask {
  readonly kind: 'season-zones'
  readonly name: string
  readonly bytes: Uint8Array
}

/** Computes the highs and lows of a local date from hours with the same cells. */
export interface SeasonDayTask {
  readonly kind: 'season-day'
  readonly identity: SlabIdentity
  readonly day: number
  readonly zones: CellZones
  readonly hours: readonly { readonly name: string; readonly time: Instant; readonly bytes: Uint8Array }[]
}

export type SeasonTask = SeasonHourTask | SeasonZonesTask | SeasonDayTask | AmountsTask

/** @returns undefined if the slabs have no temperature, without which the hour is not needed */
export function makeSeasonHour({ name, bytes }: SeasonHourTask): SeasonHourResult | undefined {
  const items = PAST_VARIABLES.flatMap((variable) => itemOf(name, bytes, variable) ?? [])
  const head = items.find(({ variable }) => variable === SEASON_VARIABLE)?.head
  if (!head) return undefined
  const slabs = items.map(({ head: _, ...slab }) => slab)
  return { bytes: joinSlabs(head, head.cover(), slabs), cover: head.coverId }
}

export function makeSeasonZones({ name, bytes }: SeasonZonesTask): CellZones {
  return zonesOfCells(readSlabHead(name, bytes).cover())
}

export function makeSeasonDay({ identity, day, zones, hours }: SeasonDayTask): Uint8Array {
  const cover = readSlabHead(nth(hours, 0).name, nth(hours, 0).bytes).cover()
  const fields = hours.map(({ name, time, bytes }): HourSlab => {
    const item = itemOf(name, bytes, SEASON_VARIABLE)
    if (!item) throw new Fault('Corrupt', `${name}: ${SEASON_VARIABLE} is missing`, { object: name })
    const { head: _, ...slab } = item
    return { ...slab, time }
  })
  const { max, min, quantum, offset } = dailyExtremes(cover, zones.names.map(zone), zones.zoneIndexes, day, fields)
  const codes = new SlabCodes(cover)
  const time = day * DAY
  return joinSlabs(identity, cover, [
    codes.pack({ variable: SEASON_MAX, time, quantum, offset }, max),
    codes.pack({ variable: SEASON_MIN, time, quantum, offset }, min),
  ])
}
