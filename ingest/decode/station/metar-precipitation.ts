import { isPresentWeather } from './metar-groups.ts'

const HUNDREDTH_INCH_MM = 0.254

/**
 * Liquid of the hour before a routine report, mm: the remark `Pnnnn` in hundredths of an inch (FMH-1 12.7.2.a.3); a trace, `P0000`, is 0.
 * `AO2` states a precipitation discriminator, not a gauge: a report without the remark is 0 only where neither it nor an earlier report of
 * the hour has precipitation. A station with a gauge sends the remark then, be it `P0000`.
 * @param raw the whole report
 * @param earlier other reports of the station in the hour before it
 * @returns null if the amount is unknown
 */
export function hourlyPrecipitation(raw: string, earlier: readonly string[] = []): number | null {
  const { remarks } = partsOf(raw)
  if (remarks.includes('PNO')) return null
  // `P////` and groups with a typing error as well.
  const amount = remarks.find((token) => /^P[\dO/]+$/.test(token))
  if (amount !== undefined) return /^P\d{4}$/.test(amount) ? Number(amount.slice(1)) * HUNDREDTH_INCH_MM : null
  const discriminates = remarks.some((token) => token === 'AO2' || token === 'AO2A' || token === 'A02')
  return discriminates && ![raw, ...earlier].some(mayHavePrecipitation) ? 0 : null
}

function partsOf(raw: string): { body: readonly string[]; remarks: readonly string[] } {
  let end = raw.length
  while (end > 0 && /[=\s]/.test(raw[end - 1]!)) end--
  const [body = '', ...remarks] = raw.slice(0, end).split(/(?:^|\s)RMK(?=\s|$)/)
  return { body: body.trim().split(/\s+/), remarks: remarks.join(' ').trim().split(/\s+/) }
}

/** Matches precipitation at the station: neither `VCSH` nor `BLSN`, which is snow from the ground. */
const falling = /(?:DZ|RA|SG|IC|PL|PE|GR|GS|UP|(?<!BL|DR)SN)/
/** `RAB05E30SNB20`, `-FZDZE1157`. Thunderstorms alone, `TSB12`, are no precipitation. */
const beganOrEnded = /(?:DZ|RA|SN|SG|IC|PL|PE|GR|GS|UP)[BE]\d\d/

/** Returns whether precipitation falls, began or ended in the hour, or the sensor for it is out (`PWINO`, `//` for the weather). */
function mayHavePrecipitation(raw: string): boolean {
  const { body, remarks } = partsOf(raw)
  return (
    body.some((token) => {
      const weather = token.replace(/^RE/, '')
      const isHere = (isPresentWeather(weather) || weather !== token) && !weather.includes('VC')
      return token === '//' || (isHere && falling.test(weather))
    }) || remarks.some((token) => token === 'PWINO' || beganOrEnded.test(token))
  )
}
