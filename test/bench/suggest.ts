/** Measures the suggestions of /v1/geocode for every prefix of two to five letters of the thousand largest places. */

import { performance } from 'node:perf_hooks'
import { nth } from '../../ingest/domain/nth.ts'
import { findPlaces } from '../../ingest/geo/gazetteer.ts'
import { populated } from '../../ingest/geo/populated.ts'

const prefixes = new Set<string>()
for (const { name } of populated().slice(0, 1000)) {
  for (let length = 2; length <= 5 && length <= name.length; length++) prefixes.add(name.slice(0, length))
}
/** The first request reads the tables, as a server does at its start. */
findPlaces('Denv', 5)
for (const limit of [5, 50]) {
  const times: { took: number; prefix: string }[] = []
  for (const prefix of prefixes) {
    const from = performance.now()
    findPlaces(prefix, limit)
    times.push({ took: performance.now() - from, prefix })
  }
  times.sort((a, b) => a.took - b.took)
  const at = (share: number) => nth(times, Math.floor((times.length - 1) * share))
  console.log(
    `limit ${limit}: ${times.length} prefixes, p50 ${at(0.5).took.toFixed(2)} ms, p99 ${at(0.99).took.toFixed(2)} ms, longest ${at(1).took.toFixed(2)} ms (${at(1).prefix})`,
  )
}
