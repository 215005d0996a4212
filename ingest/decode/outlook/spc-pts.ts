import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { type Position, squareDegrees } from '../../domain/shape/ring.ts'
import { DAY, type Instant } from '../../domain/time.ts'
import { type Hazard, levelOf, type OutlookIssue, type OutlookLevel } from '../../domain/weather/outlook.ts'
import { areaOf } from './spc-area.ts'

const hazards: readonly (readonly [RegExp, Hazard, string])[] = [
  [/FIRE WEATHER/, 'fire', 'windrh'],
  [/DRY ?(LIGHTNING|T|THUNDER)/, 'dry_thunderstorm', 'dryt'],
  [/CATEGORICAL/, 'severe', 'cat'],
  [/ANY SEVERE/, 'severe', 'prob'],
  [/TORNADO/, 'tornado', 'torn'],
  [/HAIL/, 'hail', 'hail'],
  [/WIND/, 'wind', 'wind'],
]

/** About half the area of the country, square degrees. */
const HALF_THE_COUNTRY = 450

/** A section of a points product: its lines by label. */
interface PointsSection {
  readonly day: number
  readonly hazard: Hazard
  readonly stem: string
  readonly lines: Map<string, Position[][]>
}

/**
 * Reads the SPC's points products (PTSDY1, PTSDY2, PTSDY3, PTSD48, PFWFD1, PFWFD2, PFWF38). They are the text form of the outlooks, and
 * replace GeoJSON files that cannot be read. A section without points is an issue without levels. Intensity groups become a separate issue,
 * as in the files.
 * @throws Fault Corrupt if the text is not a points product
 */
export function readPoints(text: string): OutlookIssue[] {
  const lines = text.replaceAll('\r', '').split('\n')
  const validity = lines.map((line) => /VALID TIME (\d{6})Z ?- ?(\d{6})Z/i.exec(line)).find(Boolean)
  const issued = issueTime(text)
  if (!validity || issued === undefined) {
    throw new Fault('Corrupt', 'SPC points: the WMO heading, the date or "VALID TIME" is missing')
  }
  const valid = nearTo(nth(validity, 1), issued)
  const expires = nearTo(nth(validity, 2), valid)
  const sections = readSections(lines, text)
  if (sections.length === 0)
    throw new Fault('Corrupt', 'SPC points: the text must have a section such as "... CATEGORICAL ...", but has none')
  const first = firstDay(text)
  const thunder = new Map<number, number>()
  for (const { day, lines } of sections) {
    const general = lines.get('TSTM')
    if (general) thunder.set(day, Math.max(HALF_THE_COUNTRY, squareDegrees(areaOf(general))))
  }
  return sections.flatMap((section) => {
    const start = first === undefined ? valid : valid + (section.day - first) * DAY
    const end = first === undefined ? expires : start + DAY
    return issuesOf(section, thunder.get(section.day) ?? Infinity).map((issue) => ({
      ...issue,
      issued,
      valid: start,
      expires: end,
    }))
  })
}

/** Returns the first day of a product of several days; undefined for a product of one day. */
function firstDay(text: string): number | undefined {
  const named = /^PTSD(4)8|^PFWF(3)8|^DAYS? ([34])-8/im.exec(text)
  return named ? Number(named[1] ?? named[2] ?? named[3]) : undefined
}

function readSections(lines: readonly string[], text: string): PointsSection[] {
  const first = firstDay(text)
  // A heading inside the product may have the wrong day; the name of the product then decides.
  const only = Number(/^(?:PTSDY|PFWFD)([123])/m.exec(text)?.[1] ?? 0)
  const sections: PointsSection[] = []
  let day = only || 1
  let section: PointsSection | undefined
  let label = ''
  for (const raw of lines) {
    const line = raw.trim().toUpperCase()
    const heading = /POINTS? DAYS? (\d)/.exec(line) ?? /^DAYS? (\d)[^-]*(CONVECTIVE|FIRE|SEVERE)/.exec(line)
    if (heading) day = only || Number(heading[1])
    const title = /^\.\.\. ?(.+?) ?\.\.\.$/.exec(line)
    if (title) {
      const known = hazards.find(([pattern]) => pattern.test(nth(title, 1)))
      section = known && { day, hazard: known[1], stem: known[2], lines: new Map() }
      if (section) sections.push(section)
      label = ''
      continue
    }
    if (line === '&&' || line === '') {
      if (line === '&&') section = undefined
      continue
    }
    if (!section) continue
    let end = line.length
    while (line[end - 1] === '&') end--
    const [first = '', ...others] = line.slice(0, end).trim().split(/\s+/)
    const isLabel = /^(?:D\d(?:-\d)?|[A-Z]+\d?|\d?\.\d+)$/.test(first)
    const named = isLabel && (others.length === 0 ? levelOf(first) !== undefined : /\d{3}/.test(nth(others, 0)))
    const groups = named ? others : [first, ...others]
    if (!named && !groups.some((group) => /^\d{8}/.test(group)) && !/^\d{4}(?! [AP]M\b)/.test(line)) continue
    const wrong = groups.find((group) => !/^\d{8}$/.test(group))
    if (wrong !== undefined || (!named && !label))
      throw new Fault(
        'Corrupt',
        `SPC points: expected a label and points of eight digits, but found ${JSON.stringify(line.slice(0, 60))}`,
      )
    if (named) {
      label = first
      for (const target of labelled(sections, section, label)) startLine(target, label)
    }
    for (const target of labelled(sections, section, label)) {
      const drawn = target.lines.get(label)!
      for (const group of groups) {
        if (group === '99999999') drawn.push([])
        else drawn.at(-1)!.push(position(group))
      }
    }
  }
  // A product of several days covers every day, so a day without a section has no area.
  const sample = sections[0]
  for (let day = first ?? 9; sample && day <= 8; day++) sectionOf(sections, sample, day)
  return sections
}

/**
 * Returns the sections of a label that names days (`D6`, `D4-5`). The fire weather product, and before 2015 also the product of days 4 to
 * 8, has the areas of all days in one section.
 */
function labelled(sections: PointsSection[], section: PointsSection, label: string): PointsSection[] {
  const [, from, to] = /^D(\d)(?:-(\d))?$/.exec(label) ?? []
  if (from === undefined) return [section]
  const days = Array.from({ length: Math.max(1, Number(to ?? from) - Number(from) + 1) }, (_, i) => Number(from) + i)
  return days.map((day) => sectionOf(sections, section, day))
}

function sectionOf(sections: PointsSection[], section: PointsSection, day: number): PointsSection {
  const known = sections.find((other) => other.day === day && other.stem === section.stem)
  if (known) return known
  const added = { ...section, day, lines: new Map<string, Position[][]>() }
  sections.push(added)
  return added
}

function startLine(section: PointsSection, label: string): void {
  const drawn = section.lines.get(label)
  if (drawn) drawn.push([])
  else section.lines.set(label, [[]])
}

/**
 * Reads a position such as `35169402`: hundredths of degrees north, then west. Longitudes of 100 and more are written without their first
 * digit.
 */
function position(group: string): Position {
  const lon = Number(group.slice(4)) / 100
  return [-(lon < 30 ? lon + 100 : lon), Number(group.slice(0, 4)) / 100]
}

/**
 * Returns the issues of a section.
 * @param most area of general thunder, or half the country if that is larger, square degrees. A larger severe area comes from a line in the
 * wrong direction.
 */
function issuesOf(section: PointsSection, most: number): Pick<OutlookIssue, 'product' | 'day' | 'hazard' | 'levels'>[] {
  const levels: OutlookLevel[] = []
  for (const [label, lines] of section.lines) {
    // If the label is a day, all areas have the same level: 15 percent of severe storms, or critical fire weather.
    const level = levelOf(/^D\d/.test(label) ? (section.hazard === 'fire' ? 'CRIT' : '0.15') : label)
    if (!level) throw new Fault('Corrupt', `SPC points: the level ${JSON.stringify(label)} is unknown`)
    const area = areaOf(lines).filter((polygon) => level.label === 'TSTM' || squareDegrees([polygon]) <= most)
    if (area.length > 0) levels.push({ ...level, area })
  }
  const { day, hazard, stem } = section
  const part = (name: string, kind: Hazard, keep: (level: OutlookLevel) => boolean) => ({
    product: name,
    day,
    hazard: kind,
    levels: levels.filter(keep).sort((a, b) => a.rank - b.rank),
  })
  if (hazard === 'fire' && day >= 3) return [part(`day${day}fw_windrhcat`, 'fire', () => true)]
  if (hazard === 'fire') {
    const dry = (level: OutlookLevel) => level.label === 'IDRT' || level.label === 'SDRT'
    return [
      part(`day${day}fw_windrh`, 'fire', (level) => !dry(level)),
      part(`day${day}fw_dryt`, 'dry_thunderstorm', dry),
    ]
  }
  if (day >= 4) return [part(`day${day}prob`, hazard, () => true)]
  const main = part(`day${day}otlk_${stem}`, hazard, (level) => level.scale !== 'intensity')
  if (stem === 'cat') return [main]
  return [main, part(`day${day}otlk_cig${stem}`, hazard, (level) => level.scale === 'intensity')]
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** Reads the time of issuance. The WMO heading has day and time in UTC, the forecaster's line has month and year. */
function issueTime(text: string): Instant | undefined {
  const heading = /^[A-Z]{4}\d\d K[A-Z]{3} (\d{6})/m.exec(text)
  const date = /\b([A-Z]{3}) +(\d{1,2}) (\d{4})\s*$/im.exec(text)
  const month = date ? months.indexOf(nth(date, 1).toUpperCase()) : -1
  if (!heading || !date || month < 0) return undefined
  return nearTo(nth(heading, 1), Date.UTC(Number(date[3]), month, Number(date[2]), 12))
}

/** Returns the instant with day, hour and minute `ddhhmm` (UTC) that is nearest to another instant. */
function nearTo(ddhhmm: string, near: Instant): Instant {
  const [day, hour, minute] = [ddhhmm.slice(0, 2), ddhhmm.slice(2, 4), ddhhmm.slice(4)].map(Number)
  const about = new Date(near)
  const candidates = [-1, 0, 1].map((shift) =>
    Date.UTC(about.getUTCFullYear(), about.getUTCMonth() + shift, day, hour, minute),
  )
  return candidates.reduce((a, b) => (Math.abs(b - near) < Math.abs(a - near) ? b : a))
}
