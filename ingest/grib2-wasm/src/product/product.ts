import { GribError } from '../fault.ts'
import type { MessageSection } from '../octets.ts'
import { intervalName, leadName, type Range, readInterval } from './interval.ts'
import { type Level, readLevel } from './level.ts'
import { parameterOf } from './names.ts'
import {
  boundsName,
  type Constituent,
  type Derived,
  type Ensemble,
  LAYOUTS,
  type Layout,
  type Probability,
  readConstituent,
  readDerived,
  readEnsemble,
  readProbability,
  readSpatial,
  type Spatial,
} from './template.ts'
import { later, readTime } from './time.ts'

/** The identity and the time of a field, from sections 0, 1 and 4. Members that the template lacks are `undefined`. */
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
  /** Number N of template 4.N, its name, and its octets from octet 10 of section 4, for templates that this reader does not know. */
  readonly template: number
  readonly templateName: string
  readonly templateOctets: Uint8Array
  /** Code table 4.3 and the centre's number of the model or process. */
  readonly processType: number | undefined
  readonly processId: number | undefined
  readonly level: Level | undefined
  /** Forecast time in its unit (code table 4.4) as coded, negative before the reference time. */
  readonly lead: number | undefined
  readonly leadUnit: number | undefined
  /** Valid time, or the two ends of the interval; equal for a point in time, `undefined` if the octets do not state it. */
  readonly start: Date | undefined
  readonly end: Date | undefined
  /** Text of the time, such as `6 hour fcst`, `11-12 hour acc fcst` or `anl`. */
  readonly interval: string | undefined
  /** Statistic of an interval, outermost first; code table 4.10 in `process`. Empty if the message has an interval without a range. */
  readonly ranges: readonly Range[] | undefined
  readonly ensemble: Ensemble | undefined
  readonly derived: Derived | undefined
  readonly probability: Probability | undefined
  /** Percentile, 0 to 100. */
  readonly percentile: number | undefined
  readonly spatial: Spatial | undefined
  /** The chemical constituent or aerosol of templates 4.40 to 4.49. */
  readonly constituent: Constituent | undefined
  /** Text that distinguishes this field from others with the same name, level and interval: `prob >0.254`, `ens std dev`, `50% level`. */
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

/**
 * Reads the forecast time; undefined if all its bits are set. NCEP's air quality model writes negative times as two's complement, which
 * read with a sign bit would be absurdly large.
 */
function leadOf(section: MessageSection, octet: number, octets: 2 | 4): number | undefined {
  if (octets === 2) return section.u2(octet) === 0xffff ? undefined : section.s2(octet)
  if (section.u4(octet) === 0xffffffff) return undefined
  const lead = section.s4(octet)
  return lead < -(2 ** 30) ? section.u4(octet) - 2 ** 32 : lead
}

/**
 * Returns the interval. MDL's encoder (NDFD: centre 8; NBM: NCEP's subcentre 14) writes lead 0 if an interval begins before the reference
 * time, so lead and length then contradict the coded end. The length and the end are right (MDL, as quoted in netcdf-java issue 606).
 */
function startsByLength({ centre, subcentre }: { readonly centre: number; readonly subcentre: number }): boolean {
  return centre === 8 || (centre === 7 && subcentre === 14)
}

/** Returns the time or interval of the field. Without a usable end time, the length of the first range determines it. */
function times(section: MessageSection, about: ReturnType<typeof identification>, layout: Layout) {
  const { shift = 0, leadOctets = 4 } = layout
  const reference = about.referenceTime
  const leadUnit = section.u1(18 + shift)
  const lead = leadOf(section, 19 + shift, leadOctets)
  const atLead = lead === undefined ? undefined : later(reference, lead, leadUnit)
  if (layout.interval === undefined) {
    const interval = lead === undefined ? undefined : leadName(lead, leadUnit)
    return { lead, leadUnit, start: atLead, end: atLead, interval, ranges: undefined }
  }
  const { end: coded, ranges } = tryPart(() => readInterval(section, layout.interval!)) ?? {
    end: undefined,
    ranges: [],
  }
  const [outer] = ranges
  if (!outer) return { lead, leadUnit, start: undefined, end: undefined, interval: undefined, ranges }
  const isKnown = outer.length !== MISSING_LENGTH
  const end = coded ?? (atLead && isKnown ? later(atLead, outer.length, outer.unit) : undefined)
  const byLength = ranges.length === 1 && isKnown && coded ? later(coded, -outer.length, outer.unit) : undefined
  const start = atLead === undefined || startsByLength(about) ? (byLength ?? atLead) : atLead
  const seconds = (time: Date) => (time.getTime() - reference.getTime()) / 1000
  const interval = start && end ? intervalName(seconds(start), seconds(end), outer.process) : undefined
  return { lead, leadUnit, start, end, interval, ranges }
}

/** A field with all bits set, as it is read with a sign bit. */
const MISSING_LENGTH = -0x7fffffff

/** Reads a part; undefined if its octets are wrong, so that a fault in the level or the time does not reject the field. */
function tryPart<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof GribError)) throw error
    return undefined
  }
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
  constituent: undefined,
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
  const constituent = readConstituent(section, layout)
  const { shift = 0, level = 23 + shift } = layout
  const qualifiers = [
    constituent?.name,
    boundsName(section, layout.size, 'aerosol_size'),
    boundsName(section, layout.wavelength, 'aerosol_wavelength'),
    probability?.name,
    percentile === undefined ? undefined : `${percentile}% level`,
    derived?.name,
    ensemble?.name,
  ]
  return {
    ...what,
    templateName: layout.name,
    processType: section.u1(12 + shift),
    processId: section.u1(14 + shift),
    level: level === 'none' ? undefined : tryPart(() => readLevel(section, level)),
    ...times(section, about, layout),
    ensemble,
    derived,
    probability,
    percentile,
    spatial: layout.spatial ? readSpatial(section, layout.spatial) : undefined,
    constituent,
    qualifier: qualifiers.filter((word) => word !== undefined).join(' '),
  }
}
