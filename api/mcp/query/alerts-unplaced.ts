import { isMarine } from '../../../ingest/domain/ugc.ts'
import { zonesAt } from '../../../ingest/geo/zone.ts'
import type { MetaWarning } from '../../contract.ts'
import type { Spot } from '../../dataset/spot.ts'
import type { LiveAlert } from '../../live/alert-index.ts'
import { countWords } from './alert-selection.ts'

/**
 * Active alerts of the place's office with zones of which no outline is known, and no county stands for: no point is found in them, so
 * that "no alert here" is not known.
 */
export function unplacedAlerts(active: readonly LiveAlert[], { location: { lat, lon } }: Spot): LiveAlert[] {
  const { office } = zonesAt(lat, lon)
  return active.filter(
    ({ head, polygon, record, zones }) =>
      head.status === 'Actual' &&
      !polygon &&
      record.office === office &&
      zones.some(({ code, place }) => !place.shape && !isMarine(code)) &&
      !zones.some(({ standIn, place }) => standIn && place.shape),
  )
}

/** The sentence about them; undefined where there is none. */
export function unplacedWords(unplaced: readonly LiveAlert[]): string | undefined {
  const [first] = unplaced
  if (!first) return undefined
  return `Not known whether here: ${countWords(unplaced, 3)} of zones without an outline. search_alerts wfo ${first.record.office} names the areas.`
}

export function unplacedWarning(unplaced: readonly LiveAlert[]): MetaWarning[] {
  const detail = unplacedWords(unplaced)
  return detail ? [{ code: 'source_incomplete', section: 'alerts', product_id: 'nws-alerts', detail }] : []
}
