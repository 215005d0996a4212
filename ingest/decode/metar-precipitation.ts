const HUNDREDTH_INCH_MM = 0.254

/**
 * Liquid of the hour before a routine report, mm: the remark `Pnnnn` in hundredths of an inch (FMH-1 12.7.2.a.3); a trace, `P0000`, is 0.
 * Without the remark 0 where the station has a precipitation discriminator (`AO2`) and does not report it broken (`PNO`).
 * @param raw the whole report @returns null where nothing measured
 */
export function hourlyPrecipitation(raw: string): number | null {
  const remarks = raw.indexOf(' RMK ')
  if (remarks < 0) return null
  const tokens = raw.slice(remarks + 5).split(' ')
  if (tokens.includes('PNO')) return null
  for (const token of tokens) if (/^P\d{4}$/.test(token)) return Number(token.slice(1)) * HUNDREDTH_INCH_MM
  return tokens.some((token) => token === 'AO2' || token === 'AO2A' || token === 'A02') ? 0 : null
}
