/** Texts of simulated offices: issue times, and wording from the simulated weather. */
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

let known: readonly Writer[] | undefined

/** Every office that has public zones in the 50 states. */
export function writers(): readonly Writer[] {
  if (known) return known
  const zones = new Map<string, Set<string>>()
  for (const zone of zoneList()) {
    if (zone.kind !== 'forecast') continue
    const codes = zones.get(zone.office)
    if (codes) codes.add(zone.id)
    else zones.set(zone.office, new Set([zone.id]))
  }
  known = officeList()
    .filter(({ id }) => zones.has(id))
    .map(({ id, name, lat, lon }) => ({ id, name, lat, lon, zones: [...zones.get(id)!].sort() }))
  return known
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

/** Discussions of an office come every six hours, each at minutes of its own. */
function discussions(office: Writer, from: number, to: number): SimulatedText[] {
  return every(6 * HOUR, (hash(office.id) % 360) * MINUTE, from, to).map((at) => afd(office, at))
}

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

/** An outlook a day for all zones of an office. */
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

/** A short-term forecast every hour where a storm is. */
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

/** One office has a tropical storm on its coast, every six hours a statement. */
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

/** The items of a list at a time: those of the last day, office by office. */
export function textsAt(type: string, location: string | undefined, now: number): SimulatedText[] {
  const from = now - DAY
  if (type === 'AFD') return writers().flatMap((office) => discussions(office, from, now))
  if (type === 'HWO') return writers().flatMap((office) => outlooks(office, now - 30 * HOUR, now))
  if (type === 'NOW') return shortTerm(now - 3 * HOUR, now)
  if (type === 'HLS') return tropical(from, now)
  const issued = [...national(now - 2 * DAY, now), ...mesoscale(now - 4 * HOUR, now)].filter((one) => one.type === type)
  return location === undefined ? issued : issued.filter((one) => one.location === location)
}
