/**
 * Texts of the national centers: mesoscale discussions around simulated storms, outlooks, and the discussions of desks.
 */
import { DAY, HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { type Storm, stormAt, stormsAt } from './storms.ts'
import { ddhhmm, every, hash, type SimulatedText, timeLine } from './text-words.ts'

/** Peak rain rate from which a storm has a discussion of the SPC, mm/h. */
const MCD_RATE = 30
/** Peak rain rate from which a storm also has a discussion of the WPC, mm/h. */
const MPD_RATE = 40

/** Returns the mesoscale discussions issued in a period. */
export function mesoscale(from: number, to: number): SimulatedText[] {
  const storms = new Map<string, Storm>()
  for (let at = from - 3 * HOUR; at <= to; at += 30 * MINUTE) {
    for (const { storm } of stormsAt(at)) {
      if (storm.id.startsWith('conus') && storm.peak >= MCD_RATE) storms.set(storm.id, storm)
    }
  }
  return [...storms.values()].flatMap((storm) => {
    const at = storm.birth + 5 * MINUTE
    const kinds = storm.peak >= MPD_RATE ? (['MCD', 'MPD'] as const) : (['MCD'] as const)
    const area = corners(storm)
    const originals = kinds.map((kind) => discussion(kind, numberOf(storm), at, storm.death, area))
    // Every fourth discussion is corrected nine minutes later.
    const corrections =
      hash(storm.id) % 4 === 0 ? [discussion('MCD', numberOf(storm), at + 9 * MINUTE, storm.death, area, true)] : []
    return [...originals, ...corrections].filter((text) => text.at >= from && text.at <= to)
  })
}

/** Returns a number that is unique among the storms of a week. */
function numberOf(storm: Storm): number {
  const [, slot, index] = storm.id.split('-').map(Number) as [number, number, number]
  return ((slot * 64 + index) % 9000) + 1
}

/** Returns the corners of a box around the path of a storm, as after LAT...LON. */
function corners(storm: Storm): string {
  const ends = [storm.birth + MINUTE, storm.death - MINUTE].flatMap((at) => stormAt(storm, at) ?? [])
  const reach = (2 * storm.radiusKm) / 111
  const south = Math.min(...ends.map(({ lat }) => lat)) - reach
  const north = Math.max(...ends.map(({ lat }) => lat)) + reach
  const west = Math.min(...ends.map(({ lon }) => lon)) - reach * 1.3
  const east = Math.max(...ends.map(({ lon }) => lon)) + reach * 1.3
  return box(south, west, north, east)
}

/** Returns the corners of a box, as after LAT...LON. */
export function box(south: number, west: number, north: number, east: number): string {
  const corner = (lat: number, lon: number) =>
    String(Math.round(lat * 100)).padStart(4, '0') + String(Math.round(-lon * 100) % 10_000).padStart(4, '0')
  return [corner(south, west), corner(north, west), corner(north, east), corner(south, east), corner(south, west)].join(
    ' ',
  )
}

/** Returns a mesoscale discussion of the SPC (MCD) or the WPC (MPD). */
export function discussion(
  kind: 'MCD' | 'MPD',
  number: number,
  at: number,
  until: number,
  area: string,
  corrected = false,
): SimulatedText {
  const spc = kind === 'MCD'
  const awips = spc ? 'SWOMCD' : 'FFGMPD'
  return {
    id: `simulated-${kind.toLowerCase()}-${number}-${at / MINUTE}`,
    type: spc ? 'SWO' : 'FFG',
    location: kind,
    wmo: spc ? 'ACUS11' : 'AWUS01',
    office: spc ? 'KWNS' : 'KWNH',
    awips,
    at,
    body: () => `${spc ? `SPC MCD ${ddhhmm(at)}${corrected ? ' COR' : ''}\n` : ''}USZ000-${ddhhmm(until)}-

Mesoscale ${spc ? '' : 'Precipitation '}Discussion ${String(number).padStart(4, '0')}
NWS ${spc ? 'Storm Prediction Center Norman OK' : 'Weather Prediction Center College Park MD'} (SIMULATED)
${timeLine(at, -97)}

Areas affected...around a simulated storm

Concerning...${spc ? 'Severe potential...Watch unlikely' : 'Heavy rainfall...Flash flooding possible'}

Valid ${ddhhmm(at)}Z - ${ddhhmm(until)}Z
${corrected ? '\nCORRECTED FOR GRAPHIC\n' : ''}${spc ? '\nProbability of Watch Issuance...20 percent\n' : ''}
SUMMARY...A simulated storm brings heavy rain and gusty winds along its path.

DISCUSSION...The storm forms, grows and decays as a function of time. Confidence is high.

..Simulated.. ${new Date(at).toISOString().slice(5, 10).replace('-', '/')}/${new Date(at).getUTCFullYear()}

...Please see www.spc.noaa.gov for graphic product...

ATTN...WFO...DDC...ICT...

LAT...LON   ${area}
`,
  }
}

/** Hours UTC of the convective outlooks and of the national discussions. */
const outlookHours = { DY1: [1, 6, 13, 16.5, 20], DY2: [7, 17.5], DY3: [7.5, 19.5], D48: [9] } as const
const deskHours = { SPD: [8, 20], EPD: [7, 19], HI: [12], CA: [10], MRD: [15], THR: [16], ENS: [5], SA: [13] } as const

/** Returns the outlooks and the discussions of desks issued in a period. */
export function national(from: number, to: number): SimulatedText[] {
  const texts: SimulatedText[] = []
  for (const [day, hours] of Object.entries(outlookHours)) {
    for (const at of hours.flatMap((hour) => every(DAY, hour * HOUR, from, to))) texts.push(convective(day, at))
  }
  for (const [desk, hours] of Object.entries(deskHours)) {
    for (const at of hours.flatMap((hour) => every(DAY, hour * HOUR, from, to))) texts.push(pmd(desk, at))
  }
  return texts
}

function convective(day: string, at: number): SimulatedText {
  const first = day === 'D48' ? 4 : Number(day.slice(2))
  const noon = Math.floor((at - 6 * HOUR) / DAY) * DAY + 12 * HOUR
  const begins = day === 'DY1' ? Math.max(at, noon) : noon + (first - 1) * DAY
  const ends = noon + (day === 'D48' ? 8 : first) * DAY
  return {
    id: `simulated-swo-${day}-${at / MINUTE}`,
    type: 'SWO',
    location: day,
    wmo: 'ACUS01',
    office: 'KWNS',
    awips: `SWO${day}`,
    at,
    body: () => `SPC AC ${ddhhmm(at)}

Day ${day === 'D48' ? '4-8' : first} Convective Outlook
NWS Storm Prediction Center Norman OK (SIMULATED)
${timeLine(at, -97)}

Valid ${ddhhmm(begins)}Z - ${ddhhmm(ends)}Z

...NO SEVERE THUNDERSTORM AREAS FORECAST...

...SUMMARY...
${stormsAt(at).length} simulated storms exist at the time of issue.

$$
`,
  }
}

function pmd(desk: string, at: number): SimulatedText {
  return {
    id: `simulated-pmd-${desk}-${at / MINUTE}`,
    type: 'PMD',
    wmo: 'FXUS01',
    office: 'KWBC',
    awips: `PMD${desk}`,
    at,
    body: () => `Forecast Discussion of Desk ${desk}
NWS Weather Prediction Center College Park MD (SIMULATED)
${timeLine(at, -77)}

Valid ${new Date(at).toISOString().slice(11, 13)}Z for two days

***Simulated storms cross the country***

The storms of this forecast are simulated.

$$
`,
  }
}
