import { zonesAt } from '../../../ingest/geo/zone.ts'
import type { MetaWarning } from '../../contract.ts'
import type { Spot } from '../../dataset/spot.ts'
import { AlertIndex, type LiveAlert } from '../../live/alert-index.ts'
import { countWords } from './alert-selection.ts'

/**
 * Active alerts of the place's office with zones of which no outline is known, and no county stands for: no point is found in them, so
 * that "no alert here" is not known.
 */
export function unplacedAlerts(active: readonly LiveAlert[], { location: { lat, lon } }: Spot): LiveAlert[] {
  const { office } = zonesAt(lat, lon)
  return active.filter(
    (alert) => alert.head.status === 'Actual' && alert.record.office === office && AlertIndex.isUnplaced(alert),
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
