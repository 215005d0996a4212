/** Texts of simulated offices, with issue times and with wording from the simulated weather. */
import { DAY, HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { officeAt, officeList, zoneList } from '../../ingest/geo/zone.ts'
import { weatherAt } from './atmosphere.ts'
import { type Storm, stormsAt } from './storms.ts'
import { mesoscale, national } from './text-national.ts'
import { every, hash, type SimulatedText, timeLine, ugcLines } from './text-words.ts'

const icaos: Readonly<Record<string, string>> = {
  AFC: 'PAFC',
  AFG: 'PAFG',
  AJK: 'PAJK',
  HFO: 'PHFO',
  GUM: 'PGUM',
  SJU: 'TJSJ',
}

function icaoOf(office: string): string {
  return icaos[office] ?? `K${office}`
}

interface Writer {
  readonly id: string
  readonly name: string
  readonly lat: number
  readonly lon: number
  /** Public zones in the order of their codes. */
  readonly zones: readonly string[]
}

let allWriters: readonly Writer[] | undefined

/** Returns every office with public zones in the 50 states. */
export function writers(): readonly Writer[] {
  if (allWriters) return allWriters
  const publicZones = zoneList().filter(({ kind }) => kind === 'forecast')
  const zonesByOffice = Map.groupBy(publicZones, ({ office }) => office)
  allWriters = officeList().flatMap(({ id, name, lat, lon }) => {
    const codes = new Set(zonesByOffice.get(id)?.map((zone) => zone.id))
    return codes.size > 0 ? [{ id, name, lat, lon, zones: [...codes].sort() }] : []
  })
  return allWriters
}

function heading(title: string, office: Writer, at: number): string {
  return `${title}\nNational Weather Service ${office.name} ${office.id} (SIMULATED)\n${timeLine(at, office.lon)}`
}

const fahrenheit = (kelvin: number) => Math.round((kelvin - 273.15) * 1.8 + 32)

function nearStorms(office: Writer, from: number, to: number): Storm[] {
  const near = new Map<string, Storm>()
  for (let at = from; at <= to; at += HOUR) {
    for (const { storm, lat, lon } of stormsAt(at)) {
      if (Math.hypot(lat - office.lat, (lon - office.lon) * 0.75) < 2) near.set(storm.id, storm)
    }
  }
  return [...near.values()]
}

/** Returns the discussions of an office, which are issued every six hours at a minute that depends on the office. */
function discussions(office: Writer, from: number, to: number): SimulatedText[] {
  return every(6 * HOUR, (hash(office.id) % 360) * MINUTE, from, to).map((at) => afd(office, at))
}

/** Returns an Area Forecast Discussion. */
export function afd(office: Writer, at: number): SimulatedText {
  return {
    ...texts('AFD', office, at),
    wmo: 'FXUS65',
    body() {
      const storms = nearStorms(office, at, at + 12 * HOUR)
      const now = weatherAt(office.lat, office.lon, at)
      const peak = Math.max(0, ...storms.map((storm) => storm.peak))
      return `${heading('Area Forecast Discussion', office, at)}

.KEY MESSAGES...
Updated at ${timeLine(at, office.lon)}

- ${storms.length > 0 ? `${storms.length} storms are expected near ${office.name} within twelve hours.` : `Dry weather continues around ${office.name}.`}

- Temperatures stay near ${fahrenheit(now.temperature)} degrees at first.

&&

.SHORT TERM /THROUGH TONIGHT/...
(Today and tonight)
Issued at ${timeLine(at, office.lon)}

${storms.length > 0 ? `The strongest storm brings up to ${Math.round(peak)} mm of rain an hour. There is some uncertainty about its track.` : 'High confidence in dry weather.'}

This text is simulated.

&&

.${office.id} WATCHES/WARNINGS/ADVISORIES...
None.

&&

$$

SIMULATED
`
    },
  }
}

/** Returns the daily outlooks for all zones of an office. */
function outlooks(office: Writer, from: number, to: number): SimulatedText[] {
  return every(DAY, 10 * HOUR + (hash(office.id) % 120) * MINUTE, from, to).map((at) => ({
    ...texts('HWO', office, at),
    wmo: 'FLUS45',
    body() {
      const count = nearStorms(office, at, at + 24 * HOUR).length
      const quiet = 'No hazardous weather is expected at this time.'
      return `${heading('Hazardous Weather Outlook', office, at)}

${ugcLines(office.zones, at + 25 * HOUR)}
Zones of ${office.name}-
${timeLine(at, office.lon)}

This simulated Hazardous Weather Outlook is for all zones of ${office.name}.

.DAY ONE...Today and tonight.

${count > 0 ? `${count} thunderstorms may bring heavy rain and gusty winds.` : quiet}

.DAYS TWO THROUGH SEVEN...

${quiet}

.SPOTTER INFORMATION STATEMENT...

Spotter activation will not be needed.

$$
`
    },
  }))
}

/** Returns the hourly short-term forecasts of the offices with a storm. */
function shortTerm(from: number, to: number): SimulatedText[] {
  return every(HOUR, 0, from, to).flatMap((at) => {
    const busy = new Set(stormsAt(at).flatMap(({ lat, lon }) => officeAt(lat, lon) ?? []))
    return writers()
      .filter(({ id }) => busy.has(id))
      .map((office) => ({
        ...texts('NOW', office, at),
        wmo: 'FPUS75',
        body: () => `${heading('Short Term Forecast', office, at)}

${ugcLines(office.zones, at + 2 * HOUR)}
Zones of ${office.name}-
${timeLine(at, office.lon)}

.NOW...
Through ${timeLine(at + 2 * HOUR, office.lon).slice(0, 7)} simulated storms move across parts of the area with heavy rain.

$$
`,
      }))
  })
}

/** Returns the statements about a tropical storm, which one office issues every six hours. */
function tropical(from: number, to: number): SimulatedText[] {
  const office = writers().find(({ id }) => id === 'MHX')
  if (!office) return []
  return every(6 * HOUR, 3 * HOUR, from, to).map((at) => ({
    ...texts('HLS', office, at),
    wmo: 'WTUS82',
    body: () => `${ugcLines(office.zones, at + 8 * HOUR)}

${heading('Tropical Storm Simulated Local Statement Advisory', office, at)}

This product covers eastern North Carolina

**Simulated storm stays off the coast**

SITUATION OVERVIEW
------------------

A simulated tropical storm stays east of the Outer Banks.

$$
`,
  }))
}

function texts(
  type: string,
  office: Writer,
  at: number,
): Pick<SimulatedText, 'id' | 'type' | 'office' | 'awips' | 'at'> {
  const id = `simulated-${type.toLowerCase()}-${office.id}-${at / MINUTE}`
  return { id, type, office: icaoOf(office.id), awips: type + office.id, at }
}

/** Returns the items of a list at a time: the texts of about the last day, office by office. */
export function textsAt(type: string, location: string | undefined, now: number): SimulatedText[] {
  const from = now - DAY
  if (type === 'AFD') return writers().flatMap((office) => discussions(office, from, now))
  if (type === 'HWO') return writers().flatMap((office) => outlooks(office, now - 30 * HOUR, now))
  if (type === 'NOW') return shortTerm(now - 3 * HOUR, now)
  if (type === 'HLS') return tropical(from, now)
  return [...national(now - 2 * DAY, now), ...mesoscale(now - 4 * HOUR, now)].filter(
    (text) => text.type === type && (location === undefined || text.location === location),
  )
}
