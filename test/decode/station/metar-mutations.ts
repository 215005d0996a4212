/** Mutated reports: `node test/decode/station/metar-mutations.ts 1000000` runs that many; the suite runs a few thousand. */

import { fileURLToPath } from 'node:url'
import { decodeMetar } from '../../../ingest/decode/station/metar.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { flightCategory } from '../../../ingest/domain/weather/observation.ts'

const REPORTS = [
  'KSPS 081352Z 10015KT 10SM TSGRRA BKN022CB BKN050 BKN200 25/16 A2967 RMK AO2 TSB38RAB25GRB49 SLP036 P0000 T02500161=',
  'KMIA 081403Z 16032G45KT 1/2SM +FC +TSRA BR SCT005 BKN016CB OVC034 23/19 A3003 RMK TORNADO B02 OHD MOV NE AO2 PK WND 15045/0202 $',
  'SPECI PAJN 081353Z COR 22003MPS M1/4SM FZFG VV/// M05/M12 Q2987 RMK T10501122 10072 20044 57031',
  'CYYZ 081400Z CCA AUTO VRB02KT 1 1/2SM R24/2400FT -SN //////CB SCT100/// ///// A//// TEMPO 4000',
  'METAR LIRF 081350Z 04005KT 9999NDV CAVOK 09/08 Q1017 RERA NOSIG',
]
const BITS = [
  '/',
  '//',
  '///',
  'M',
  'P',
  'SM',
  ' ',
  'G',
  'KT',
  '0',
  '9',
  '99999',
  'RMK',
  'TS',
  'RA',
  '-',
  '+',
  'VV',
  'Z',
  '=',
  '\u0000',
  '\n',
  'é',
  'A',
  'Q',
  'T1',
  '1/2',
  'NIL',
  'CLR',
]

/** The mulberry32 generator. */
function random(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const inRange = (value: number | null, least: number, most: number) =>
  value === null || (value >= least && value <= most)

/** Returns whether the decoder handles a mutation of a report. */
export function mutated(seed: number): boolean {
  const next = random(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  let text = pick(REPORTS)
  for (let edits = 1 + Math.floor(next() * 6); edits > 0; edits--) {
    const at = Math.floor(next() * text.length)
    const kind = next()
    if (kind < 0.3) text = text.slice(0, at) + text.slice(at + 1 + Math.floor(next() * 4))
    else if (kind < 0.6) text = text.slice(0, at) + pick(BITS) + text.slice(at)
    else if (kind < 0.8)
      text = text.slice(0, at) + String.fromCharCode(32 + Math.floor(next() * 95)) + text.slice(at + 1)
    else {
      const tokens = text.split(' ')
      const [from, to] = [Math.floor(next() * tokens.length), Math.floor(next() * tokens.length)]
      ;[tokens[from], tokens[to]] = [nth(tokens, to), nth(tokens, from)]
      text = tokens.join(' ')
    }
  }
  const decoded = decodeMetar(text, Date.UTC(2026, 1, 8, 14))
  if ('rejected' in decoded) return decoded.rejected.reason.length > 0
  const { report } = decoded
  flightCategory(report)
  return (
    inRange(report.temperature, -99.9, 99.9) &&
    inRange(report.dewPoint, -99.9, report.temperature ?? 99.9) &&
    inRange(report.windDirection, 0, 360) &&
    inRange(report.windSpeed, 0, 115) &&
    inRange(report.windGust, report.windSpeed ?? 0, 115) &&
    inRange(report.visibility, 0, 161_000) &&
    inRange(report.pressure, 85_000, 110_000) &&
    (report.layers ?? [{ base_ft: 0 }]).every(({ base_ft = 0 }) => base_ft >= 0 && base_ft < 100_000) &&
    report.weather.every((token) => /^[-+A-Z]{2,14}$/.test(token))
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const count = Number(process.argv[2] ?? 1_000_000)
  for (let seed = 0; seed < count; seed++) if (!mutated(seed)) throw new Error(`seed ${seed}`)
  console.log(`${count} mutated reports: no throw, every value in range`)
}
