import { edits } from '../nearest.ts'

const rows = `911 Telephone Outage|911 Telephone Outage Emergency|Administrative Message|Air Quality Alert|Air Stagnation Advisory|
Arroyo And Small Stream Flood Advisory|Ashfall Advisory|Ashfall Warning|Avalanche Advisory|Avalanche Warning|
Avalanche Watch|Beach Hazards Statement|Blizzard Warning|Blizzard Watch|Blowing Dust Advisory|
Blowing Dust Warning|Blue Alert|Brisk Wind Advisory|Child Abduction Emergency|Civil Danger Warning|
Civil Emergency Message|Coastal Flood Advisory|Coastal Flood Statement|Coastal Flood Warning|Coastal Flood Watch|
Cold Weather Advisory|Dense Fog Advisory|Dense Smoke Advisory|Dust Advisory|Dust Storm Warning|
Earthquake Warning|Evacuation - Immediate|Excessive Heat Warning|Excessive Heat Watch|Extreme Cold Warning|
Extreme Cold Watch|Extreme Fire Danger|Extreme Heat Warning|Extreme Heat Watch|Extreme Wind Warning|Fire Warning|
Fire Weather Watch|Flash Flood Statement|Flash Flood Warning|Flash Flood Watch|Flood Advisory|Flood Statement|
Flood Warning|Flood Watch|Freeze Warning|Freeze Watch|Freezing Fog Advisory|Freezing Rain Advisory|
Freezing Spray Advisory|Frost Advisory|Gale Warning|Gale Watch|Hard Freeze Warning|Hard Freeze Watch|
Hazardous Materials Warning|Hazardous Seas Warning|Hazardous Seas Watch|Hazardous Weather Outlook|Heat Advisory|
Heavy Freezing Spray Warning|Heavy Freezing Spray Watch|High Surf Advisory|High Surf Warning|High Wind Warning|
High Wind Watch|Hurricane Force Wind Warning|Hurricane Force Wind Watch|Hurricane Local Statement|
Hurricane Warning|Hurricane Watch|Hydrologic Advisory|Hydrologic Outlook|Ice Storm Warning|
Lake Effect Snow Advisory|Lake Effect Snow Warning|Lake Effect Snow Watch|Lake Wind Advisory|
Lakeshore Flood Advisory|Lakeshore Flood Statement|Lakeshore Flood Warning|Lakeshore Flood Watch|
Law Enforcement Warning|Local Area Emergency|Low Water Advisory|Marine Weather Statement|
Nuclear Power Plant Warning|Radiological Hazard Warning|Red Flag Warning|Rip Current Statement|
Severe Thunderstorm Warning|Severe Thunderstorm Watch|Severe Weather Statement|Shelter In Place Warning|
Short Term Forecast|Small Craft Advisory|Small Craft Advisory For Hazardous Seas|
Small Craft Advisory For Rough Bar|Small Craft Advisory For Winds|Small Stream Flood Advisory|
Snow Squall Warning|Special Marine Warning|Special Weather Statement|Storm Surge Warning|Storm Surge Watch|
Storm Warning|Storm Watch|Test|Test Message|Tornado Warning|Tornado Watch|Tropical Cyclone Local Statement|
Tropical Depression Local Statement|Tropical Storm Local Statement|Tropical Storm Warning|Tropical Storm Watch|
Tsunami Advisory|Tsunami Warning|Tsunami Watch|Typhoon Local Statement|Typhoon Warning|Typhoon Watch|
Urban And Small Stream Flood Advisory|Volcano Warning|Wind Advisory|Wind Chill Advisory|Wind Chill Warning|
Wind Chill Watch|Winter Storm Warning|Winter Storm Watch|Winter Weather Advisory`

/**
 * Event names of NWS alerts (api.weather.gov/alerts/types), including former names: Wind Chill Warning became Extreme Cold Warning in 2024.
 */
export const eventNames: readonly string[] = rows.split('|').map((name) => name.trim())

/** The meaning of a name in a filter of alerts. */
export type EventReading =
  | { readonly kind: 'known'; readonly name: string }
  /** A misspelling of known names. */
  | { readonly kind: 'misspelled'; readonly nearest: readonly string[] }
  /** A name in no list, which may be newer than the list. */
  | { readonly kind: 'unknown'; readonly name: string }
  | { readonly kind: 'unreadable' }

const MAX_NAME_LENGTH = 80
const MAX_NEAREST = 3
/** Number of letters per permitted mistake. */
const LETTERS_PER_MISTAKE = 6
const wellFormed = /^(?=.*\p{L}{3})[\p{L}\d][\p{L}\d .'/()&-]*$/u
const folded = (name: string) => name.trim().toLowerCase().replace(/\s+/g, ' ')
const foldedNames = new Map(eventNames.map((name) => [folded(name), name]))

/**
 * Reads the name of an event, in any case. A misspelled name and a part of a name (`Tornado`, `Tornado Warn`) are `misspelled`.
 * @param active names of current alerts, which are known even if the list lacks them
 */
export function readEventName(text: string, active: Iterable<string>): EventReading {
  const query = folded(text)
  const names = new Map(foldedNames)
  for (const activeName of active) if (!names.has(folded(activeName))) names.set(folded(activeName), activeName)
  const name = names.get(query)
  if (name !== undefined) return { kind: 'known', name }
  if (query.length > MAX_NAME_LENGTH) return { kind: 'unreadable' }
  const words = query.split(/[^\p{L}\d]+/u).filter(Boolean)
  const nearest = [...names]
    .map(([plain, candidate]) => ({ name: candidate, distance: distanceOf(query, words, plain) }))
    .filter(({ distance }) => Number.isFinite(distance))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NEAREST)
    .map(({ name }) => name)
  if (nearest.length > 0) return { kind: 'misspelled', nearest }
  return wellFormed.test(query) ? { kind: 'unknown', name: text.trim() } : { kind: 'unreadable' }
}

/** Returns the number of edits between two names; infinite if the first is not a misspelling of the second. */
function distanceOf(text: string, words: readonly string[], name: string): number {
  const allowed = Math.max(1, Math.floor(text.length / LETTERS_PER_MISTAKE))
  const parts = name.split(' ')
  const isPart =
    words.some((word) => word.length >= 3) && words.every((word) => parts.some((part) => part.startsWith(word)))
  if (!isPart && Math.abs(text.length - name.length) > allowed) return Number.POSITIVE_INFINITY
  const distance = edits(text, name)
  return isPart || distance <= allowed ? distance : Number.POSITIVE_INFINITY
}
