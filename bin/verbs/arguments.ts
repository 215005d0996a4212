import { gridDatasets } from '../../ingest/catalog.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { type Instant, parseRun } from '../../ingest/domain/time.ts'

export function datasetNamed(word: string | undefined): GridDataset {
  const id = word?.toLowerCase()
  const found = gridDatasets.find((dataset) => dataset.id === id)
  if (!found) {
    const known = gridDatasets.map((dataset) => dataset.id).join(', ')
    throw new Fault('Invalid', `wanted a dataset (${known}), got ${word === undefined ? 'nothing' : `"${word}"`}`)
  }
  return found
}

export function runNamed(word: string | undefined): Instant | undefined {
  if (word === undefined || word === 'latest') return undefined
  const run = parseRun(word)
  if (Number.isNaN(run)) throw new Fault('Invalid', `wanted a run such as 2026-08-20T12Z, got "${word}"`)
  return run
}

export function domainsNamed(dataset: GridDataset, word: string | undefined): readonly DomainId[] {
  const ids = dataset.domains.map(({ id }) => id)
  if (word === undefined) return ids
  const found = ids.find((id) => id === word)
  if (!found) throw new Fault('Invalid', `${dataset.id}: wanted a domain (${ids.join(', ')}), got "${word}"`)
  return [found]
}

/** `39.74,-104.99`. Longitudes wrap around, latitudes do not. */
export function pointNamed(word: string | undefined): { lat: number; lon: number } {
  const parts = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(word ?? '')
  const lat = Number(parts?.[1])
  const lon = Number(parts?.[2])
  if (!parts || Math.abs(lat) > 90 || Math.abs(lon) > 360) {
    throw new Fault(
      'Invalid',
      `wanted LAT,LON such as 39.74,-104.99, got ${word === undefined ? 'nothing' : `"${word}"`}`,
    )
  }
  return { lat, lon: lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon }
}

export function leadsNamed(word: string | undefined): ReadonlySet<number> | undefined {
  if (word === undefined) return undefined
  const leads = word.split(',').map(Number)
  if (leads.some((lead) => !Number.isInteger(lead) || lead < 0)) {
    throw new Fault('Invalid', `--leads: wanted hours such as 1,2,6, got "${word}"`)
  }
  return new Set(leads)
}
