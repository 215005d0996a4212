import type { Vtec, VtecAction } from '../../domain/alert/alert.ts'
import { nth } from '../../domain/nth.ts'

const pattern =
  /\/([OTEX])\.(NEW|CON|EXT|EXA|EXB|UPG|CAN|EXP|COR|ROU)\.([A-Z0-9]{4})\.([A-Z]{2})\.([A-Z])\.(\d{4})\.(\d{6}T\d{4}Z)-(\d{6}T\d{4}Z)\//g

/** Returns the P-VTEC strings of a text in order (NWS Instruction 10-1703). Malformed strings are skipped. */
export function readVtec(text: string): Vtec[] {
  return [...text.matchAll(pattern)].map((match) => ({
    productClass: match[1] as Vtec['productClass'],
    action: match[2] as VtecAction,
    office: nth(match, 3),
    phenomenon: nth(match, 4),
    significance: nth(match, 5),
    etn: Number(match[6]),
    begin: time(nth(match, 7)),
    end: time(nth(match, 8)),
  }))
}

/**
 * Reads a VTEC time such as `251126T0000Z`. Zeros mean "already begun" or "until further notice"; some offices wrote 1970 instead of zeros.
 */
function time(text: string): number | undefined {
  const [, yy, month, day, hour, minute] = /^(\d\d)(\d\d)(\d\d)T(\d\d)(\d\d)Z$/.exec(text)!
  if (month === '00' || day === '00') return undefined
  const year = Number(yy) + (Number(yy) >= 70 ? 1900 : 2000)
  const at = Date.UTC(year, Number(month) - 1, Number(day), Number(hour), Number(minute))
  return at <= Date.UTC(1970, 0, 2) ? undefined : at
}
