import { nth } from '../domain/nth.ts'

/** Maximum length of a place text, in characters; names and coordinates with their punctuation are shorter. */
export const MAX_PLACE_LENGTH = 300
const latitude = /^([+-]?\d{1,2}(?:\.\d{1,20})?) ?°? ?([NS]?)$/i
const longitude = /^([+-]?\d{1,3}(?:\.\d{1,20})?) ?°? ?([EW]?)$/i
/** Matches a space as the separator of latitude and longitude. The separator may also be a comma or semicolon. */
const spaceBetween = /^([+-]?\d{1,2}(?:\.\d{1,20})?(?: ?° ?[NS]?| ?[NS])?) (?=[+-]?\d)/i

/**
 * Parses coordinates such as `39.74,-104.99`, which may have N, S, E and W; undefined if the text has no coordinates or they are out of
 * range.
 */
export function parseCoordinates(text: string): { lat: number; lon: number } | undefined {
  if (text.length > MAX_PLACE_LENGTH) return undefined
  let bare = text.replace(/\s+/g, ' ').trim()
  if (bare.startsWith('(')) bare = bare.slice(1).trim()
  if (bare.endsWith(')')) bare = bare.slice(0, -1).trim()
  const comma = bare.search(/[,;]/)
  const at = comma >= 0 ? comma : (spaceBetween.exec(bare)?.[1]?.length ?? -1)
  if (at < 0) return undefined
  const north = latitude.exec(bare.slice(0, at).trim())
  const east = longitude.exec(bare.slice(at + 1).trim())
  if (!north || !east) return undefined
  const lat = Number(north[1]) * (/s/i.test(nth(north, 2)) ? -1 : 1)
  const lon = Number(east[1]) * (/w/i.test(nth(east, 2)) ? -1 : 1)
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined
}
