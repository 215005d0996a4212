/** A place's name, coordinates and their punctuation are shorter than this. */
export const MAX_PLACE_LENGTH = 300
const latitude = /^([+-]?\d{1,2}(?:\.\d{1,20})?) ?°? ?([NS]?)$/i
const longitude = /^([+-]?\d{1,3}(?:\.\d{1,20})?) ?°? ?([EW]?)$/i
/** Separator of latitude and longitude: a comma or semicolon, or the space after the latitude or its letter. */
const spaceBetween = /^([+-]?\d{1,2}(?:\.\d{1,20})?(?: ?° ?[NS]?| ?[NS])?) (?=[+-]?\d)/i

/** `39.74,-104.99` (also with N, S, E, W); undefined if the text has no coordinates or they are out of range. */
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
  const lat = Number(north[1]) * (/s/i.test(north[2]!) ? -1 : 1)
  const lon = Number(east[1]) * (/w/i.test(east[2]!) ? -1 : 1)
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined
}
