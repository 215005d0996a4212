import { nth } from '../../domain/nth.ts'
import { isPresentWeather } from './metar-groups.ts'

const HUNDREDTH_INCH_MM = 0.254

/**
 * Returns the liquid precipitation of the hour before a routine report, mm. It comes from the remark `Pnnnn` in hundredths of an inch
 * (FMH-1 12.7.2.a.3); a trace, `P0000`, is 0. `AO2` means that the station has a precipitation discriminator, not that it has a gauge. A
 * station with a gauge sends the remark when there was precipitation, even if it is `P0000`. A report without the remark therefore gives 0
 * only if neither it nor an earlier report of the hour has precipitation.
 * @param raw the whole report
 * @param earlier the station's other reports of the preceding hour
 * @returns null if the amount is unknown
 */
export function hourlyPrecipitation(raw: string, earlier: readonly string[] = []): number | null {
  const { remarks } = partsOf(raw)
  if (remarks.includes('PNO')) return null
  // The pattern also matches `P////` and groups with a typing error, which have no amount.
  const amount = remarks.find((token) => /^P[\dO/]+$/.test(token))
  if (amount !== undefined) return /^P\d{4}$/.test(amount) ? Number(amount.slice(1)) * HUNDREDTH_INCH_MM : null
  const discriminates = remarks.some((token) => token === 'AO2' || token === 'AO2A' || token === 'A02')
  return discriminates && ![raw, ...earlier].some(mayHavePrecipitation) ? 0 : null
}

function partsOf(raw: string): { body: readonly string[]; remarks: readonly string[] } {
  let end = raw.length
  while (end > 0 && /[=\s]/.test(nth(raw, end - 1))) end--
  const [body = '', ...remarks] = raw.slice(0, end).split(/(?:^|\s)RMK(?=\s|$)/)
  return { body: body.trim().split(/\s+/), remarks: remarks.join(' ').trim().split(/\s+/) }
}

/** Precipitation at the station. `VCSH` (showers in the vicinity) and `BLSN` (snow lifted from the ground) do not count. */
const falling = /(?:DZ|RA|SG|IC|PL|PE|GR|GS|UP|(?<!BL|DR)SN)/
/** Begin and end times of precipitation, such as `RAB05E30SNB20` and `-FZDZE1157`. A thunderstorm alone, `TSB12`, is not precipitation. */
const beganOrEnded = /(?:DZ|RA|SN|SG|IC|PL|PE|GR|GS|UP)[BE]\d\d/

/**
 * Returns whether precipitation falls, or began or ended in the hour, or whether its sensor is out of order (`PWINO`, `//` for the
 * weather).
 */
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
