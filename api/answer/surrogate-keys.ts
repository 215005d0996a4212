import { frameDatasets, gridDatasets } from '../../ingest/catalog.ts'
import { MOTION } from '../../ingest/tile/motion-file.ts'
import type { AnswerParts } from '../live/invalidation.ts'

/**
 * Returns the names by which a shared cache removes an answer: the coarse cells of its point, which events of alerts name, and
 * `DATASET/DOMAIN` of every run and frame that it may contain, which events of runs name.
 */
export function surrogateKeysOf({ domain, coarse, sources }: AnswerParts): string[] {
  const askedSources = new Set<string>(sources)
  const frames = frameDatasets
    .filter(({ shownBy }) => shownBy?.some((source) => askedSources.has(source)))
    .map(({ id }) => id)
  const motion = askedSources.has('nowcast') ? [MOTION] : []
  const ids = [...gridDatasets.map(({ id }) => id), ...frames, ...motion]
  return [...coarse, ...ids.map((id) => `${id}/${domain}`)]
}
