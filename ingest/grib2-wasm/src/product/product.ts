import type { MessageSection } from '../octets.ts'
import { intervalName, leadName, type Range, readInterval } from './interval.ts'
import { type Level, readLevel } from './level.ts'
import { parameterOf } from './names.ts'
import {
  type Derived,
  type Ensemble,
  LAYOUTS,
  type Probability,
  readDerived,
  readEnsemble,
  readProbability,
  readSpatial,
  type Spatial,
} from './template.ts'
import { later, readTime } from './time.ts'

/** Sections 0, 1 and 4: what the field is, and when. What the template does not have is `undefined`. */
export interface Product {
  readonly discipline: number
  readonly category: number
  readonly number: number
  /** Abbreviation (`TMP`), title and unit by WMO's, NCEP's and MRMS's tables; unknown ones keep their numbers: `var0-192-7`. */
  readonly name: string
  readonly title: string
  readonly unit: string
  /** Common code table C-11: 7 NCEP, 8 NWS, 9 NWS other, 161 NOAA OAR (MRMS), 98 ECMWF. */
  readonly centre: number
  readonly subcentre: number
  readonly tablesVersion: number
  readonly localTablesVersion: number
  /** Section 1, and its code table 1.2 (0 analysis, 1 start of forecast, 2 verifying time, 3 observation). */
  readonly referenceTime: Date
  readonly referenceSignificance: number
  /** Code tables 1.3 and 1.4. */
  readonly status: number
  readonly dataType: number
  /** Template 4.N, its name, and its octets from octet 10 of section 4, for templates this reader does not know. */
  readonly template: number
  readonly templateName: string
  readonly templateOctets: Uint8Array
  /** Code table 4.3 and the centre's number of the model or process. */
  readonly processType: number | undefined
  readonly processId: number | undefined
  readonly level: Level | undefined
  /** Forecast time in its unit (code table 4.4), negative before the reference time. */
  readonly lead: number | undefined
  readonly leadUnit: number | undefined
  /** Valid time, or the two ends of the interval; equal for a point in time. */
  readonly start: Date | undefined
  readonly end: Date | undefined
  /** `6 hour fcst`, `11-12 hour acc fcst`, `anl`. */
  readonly interval: string | undefined
  /** Statistic of an interval, outermost first; code table 4.10 in `process`. */
  readonly ranges: readonly Range[] | undefined
  readonly ensemble: Ensemble | undefined
  readonly derived: Derived | undefined
  readonly probability: Probability | undefined
  /** 0 to 100. */
  readonly percentile: number | undefined
  readonly spatial: Spatial | undefined
  /** `prob >0.254`, `ens std dev`, `50% level`: what distinguishes this field from another of the same name, level and interval. */
  readonly qualifier: string
}

function identification(indicator: MessageSection, section: MessageSection) {
  return {
    discipline: indicator.u1(7),
    centre: section.u2(6),
    subcentre: section.u2(8),
    tablesVersion: section.u1(10),
    localTablesVersion: section.u1(11),
    referenceSignificance: section.u1(12),
    referenceTime: readTime(section, 13),
    status: section.u1(20),
    dataType: section.u1(21),
  }
}

/** Forecast time. NCEP's air quality model writes negative ones as two's complement: read with a sign bit they are absurd. */
function leadOf(section: MessageSection): number {
  const lead = section.s4(19)
  return lead < -(2 ** 30) ? section.u4(19) - 2 ** 32 : lead
}

/** The time or interval of the field. Without a usable end time the first range's length gives it. */
function times(section: MessageSection, reference: Date, intervalOctet: number | undefined) {
  const leadUnit = section.u1(18)
  const lead = leadOf(section)
  const start = later(reference, lead, leadUnit)
  if (intervalOctet === undefined) {
    return { lead, leadUnit, start, end: start, interval: leadName(lead, leadUnit), ranges: undefined }
  }
  const { end: coded, ranges } = readInterval(section, intervalOctet)
  const end = coded ?? (start && later(start, ranges[0]!.length, ranges[0]!.unit))
  const seconds = (time: Date) => (time.getTime() - reference.getTime()) / 1000
  const interval = start && end ? intervalName(seconds(start), seconds(end), ranges[0]!.process) : undefined
  return { lead, leadUnit, start, end, interval, ranges }
}

const UNKNOWN = {
  processType: undefined,
  processId: undefined,
  level: undefined,
  lead: undefined,
  leadUnit: undefined,
  start: undefined,
  end: undefined,
  interval: undefined,
  ranges: undefined,
  ensemble: undefined,
  derived: undefined,
  probability: undefined,
  percentile: undefined,
  spatial: undefined,
  qualifier: '',
}

export function readProduct(indicator: MessageSection, identity: MessageSection, section: MessageSection): Product {
  const about = identification(indicator, identity)
  const template = section.u2(8)
  const category = section.u1(10)
  const number = section.u1(11)
  const { name, title, unit } = parameterOf(about.centre, about.discipline, category, number)
  const what = { ...about, category, number, name, title, unit, template, templateOctets: section.bytes.subarray(9) }
  const layout = LAYOUTS[template]
  if (!layout) return { ...what, templateName: `template 4.${template}`, ...UNKNOWN }
  const ensemble = layout.ensemble ? readEnsemble(section, layout.ensemble) : undefined
  const derived = layout.derived ? readDerived(section, layout.derived) : undefined
  const probability = layout.probability ? readProbability(section, layout.probability) : undefined
  const percentile = layout.percentile ? section.u1(layout.percentile) : undefined
  const qualifiers = [
    probability?.name,
    percentile === undefined ? undefined : `${percentile}% level`,
    derived?.name,
    ensemble?.name,
  ]
  return {
    ...what,
    templateName: layout.name,
    processType: section.u1(12),
    processId: section.u1(14),
    level: readLevel(section),
    ...times(section, about.referenceTime, layout.interval),
    ensemble,
    derived,
    probability,
    percentile,
    spatial: layout.spatial ? readSpatial(section, layout.spatial) : undefined,
    qualifier: qualifiers.filter((word) => word !== undefined).join(' '),
  }
}
