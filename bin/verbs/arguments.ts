import { gridDatasets } from '../../ingest/catalog.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { type Instant, parseRun } from '../../ingest/domain/time.ts'

/** @throws Fault Invalid if there is no such dataset of model runs */
export function datasetNamed(word: string | undefined): GridDataset {
  const id = word?.toLowerCase()
  const dataset = gridDatasets.find((candidate) => candidate.id === id)
  if (dataset) return dataset
  const ids = gridDatasets.map((candidate) => candidate.id).join(', ')
  throw new Fault('Invalid', `${problemOf(word, 'a dataset')}; expected one of ${ids}`)
}

/** Returns the statement that an argument is missing or not valid. */
function problemOf(word: string | undefined, kind: string): string {
  return word === undefined ? `${kind} is missing` : `"${word}" is not ${kind}`
}

/** @returns the reference time; undefined for the newest run @throws Fault Invalid */
export function runNamed(word: string | undefined): Instant | undefined {
  if (word === undefined || word === 'latest') return undefined
  const run = parseRun(word)
  if (Number.isNaN(run)) throw new Fault('Invalid', `"${word}" is not a run; expected a time such as 2026-08-20T12Z`)
  return run
}

/** @returns the domain with this name, or all domains of the dataset @throws Fault Invalid */
export function domainsNamed(dataset: GridDataset, word: string | undefined): readonly DomainId[] {
  const ids = dataset.domains.map(({ id }) => id)
  if (word === undefined) return ids
  const domain = ids.find((id) => id === word)
  if (!domain) throw new Fault('Invalid', `"${word}" is not a domain of ${dataset.id}; expected ${ids.join(' or ')}`)
  return [domain]
}

/** Parses `39.74,-104.99`. Longitudes from -360 to 360 are converted to -180 to 180. @throws Fault Invalid */
export function pointNamed(word: string | undefined): { lat: number; lon: number } {
  const parts = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(word ?? '')
  const lat = Number(parts?.[1])
  const lon = Number(parts?.[2])
  if (!parts || Math.abs(lat) > 90 || Math.abs(lon) > 360) {
    throw new Fault('Invalid', `${problemOf(word, 'a point')}; expected LAT,LON such as 39.74,-104.99`)
  }
  return { lat, lon: lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon }
}

/** @throws Fault Invalid */
export function leadsNamed(word: string | undefined): ReadonlySet<number> | undefined {
  if (word === undefined) return undefined
  const leads = word.split(',').map(Number)
  if (leads.some((lead) => !Number.isInteger(lead) || lead < 0)) {
    throw new Fault('Invalid', `--leads "${word}" is not a list of hours; expected one such as 1,2,6`)
  }
  return new Set(leads)
}
