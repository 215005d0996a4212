import { expect, test } from 'vitest'
import {
  absentNames,
  alertMapFact,
  crawlDelays,
  GFS_17_KEY,
  keyOf,
  listedNbmLeads,
  type ModelFact,
  modelFact,
  modelFacts,
} from '../../infra/simulator/facts.ts'
import { alertMap } from '../../infra/simulator/feeds/alert-map.ts'
import { modelSources, nbmLeads } from '../../infra/simulator/models.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { loadConfig } from '../../ingest/config.ts'
import { readMapRows } from '../../ingest/decode/alert/map-rows.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { wantedVariables } from '../../ingest/domain/dataset/want.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { limitOf } from '../../ingest/ports/upstream/limits.ts'
import { isMapService, mapListUrl } from '../../ingest/steps/feeds/alert-map.ts'

/** The declarations and the simulator against the facts about upstream. */
const datasetOfFact = ({ dataset }: ModelFact): GridDataset => {
  const match = gridDatasets.find(({ id }) => id === dataset)
  if (!match) throw new Error(`there is no dataset ${dataset}`)
  return match
}
/** A day whose hours are cycles of every dataset. */
const midnight = Date.parse('2026-03-01T00:00:00Z')

test('states a fact for each dataset in each domain', () => {
  const declared = gridDatasets.flatMap(({ id, domains, shared }) =>
    // The later hours of HRRR and RRFS are in the same files, and a file of GFS has every domain.
    id === 'hrrr-long' || id === 'rrfs-long'
      ? []
      : (shared ? domains.slice(0, 1) : domains).map((domain) => `${id}/${domain.id}`),
  )
  expect(modelFacts.map(({ dataset, domain }) => `${dataset}/${domain}`).sort()).toEqual(declared.sort())
  for (const { source } of modelFacts) expect(source.length).toBeGreaterThan(8)
})

test.each(modelFacts)('$dataset of $domain requests the keys of upstream, lists them and reads their leads', (fact) => {
  const dataset = datasetOfFact(fact)
  const { domain } = fact
  for (const run of [midnight, midnight + 12 * HOUR]) {
    const leads = dataset.leads(run, domain)
    expect(leads.length).toBeGreaterThan(0)
    for (const lead of leads) {
      const key = keyOf(fact, run, lead)
      expect(dataset.file(run, domain, lead).url).toBe(`https://${fact.bucket}.s3.amazonaws.com/${key}`)
      expect(dataset.leadOf(key, run, domain)).toBe(lead)
      expect(key.startsWith(dataset.listing(run, domain).prefix)).toBe(true)
    }
  }
})

test.each(modelFacts)('$dataset of $domain expects its last file when upstream has it', (fact) => {
  const { latencySeconds } = datasetOfFact(fact)
  expect(latencySeconds).toBeGreaterThanOrEqual(fact.lastMinutes * 60)
  expect(latencySeconds).toBeLessThanOrEqual((fact.lastMinutes + 15) * 60)
})

test.each(modelFacts)('the simulator lists $dataset of $domain by the facts', (fact) => {
  const dataset = datasetOfFact(fact)
  const source = modelSources(60, { withRrfs: true }).find(({ host }) => host === `${fact.bucket}.s3.amazonaws.com`)
  if (!source?.list) throw new Error(`the simulator has no bucket ${fact.bucket}`)
  const run = midnight + 12 * HOUR
  const { prefix } = dataset.listing(run, fact.domain)
  const at = (minutes: number) => {
    const keys = [...(source.list?.(prefix, run + minutes * MINUTE) ?? [])].map(({ key }) => key)
    return keys.filter((key) => !key.endsWith('.idx') && dataset.leadOf(key, run, fact.domain) !== undefined)
  }
  expect(at(fact.firstMinutes - 1)).toEqual([])
  const listed = at(fact.lastMinutes)
  for (const lead of dataset.leads(run, fact.domain)) expect(listed).toContain(keyOf(fact, run, lead))
})

test.each(listedNbmLeads)('NBM of $hour UTC has the leads that were listed', ({ hour, leads }) => {
  const run = midnight + hour * HOUR
  const declared = datasetOfFact(modelFact('nbm', 'conus')).leads(run, 'conus')
  expect(declared).toEqual(leads)
  expect(nbmLeads(run)).toEqual(leads)
})

test('reads the layout of GFS version 17', () => {
  const dataset = datasetOfFact(modelFact('gfs', 'conus'))
  const key = keyOf(GFS_17_KEY, midnight, 36)
  expect(key.startsWith(dataset.listing(midnight, 'conus').nextPrefix ?? 'none')).toBe(true)
  expect(dataset.leadOf(key, midnight, 'conus')).toBe(36)
})

test('waits between requests as long as a host requires', () => {
  for (const { host, seconds } of crawlDelays) {
    const { atOnce, perMinute } = limitOf(host)
    expect(atOnce).toBe(1)
    expect(perMinute).toBeLessThanOrEqual(60 / seconds)
  }
})

test('declares exactly the variables that were seen nowhere as unseen, and requires none of them', () => {
  const unseen = gridDatasets.flatMap(({ id, wants }) =>
    wants.flatMap((want) => (want.unseen ? wantedVariables(want).map((variable) => `${id} ${variable}`) : [])),
  )
  expect(unseen.sort()).toEqual(absentNames.map(({ dataset, variable }) => `${dataset} ${variable}`).sort())
  expect(gridDatasets.flatMap(({ wants }) => wants.filter((want) => want.unseen && !want.optional))).toEqual([])
})

test('requests the layers and fields of the map of alerts, on another host than the feed', async () => {
  const [index, map, ...others] = loadConfig({}).secondSources.alerts ?? []
  expect([others, map]).toEqual([[], `https://${alertMapFact.host}${alertMapFact.path}`])
  expect([isMapService(map!), isMapService(index!)]).toEqual([true, false])
  expect(new URL(map!).host).not.toBe(new URL(index!).host)
  const at = midnight + 18 * HOUR
  for (const layer of alertMapFact.layers.keys()) {
    const { pathname, searchParams } = new URL(mapListUrl(map!, layer))
    const fields = searchParams.get('outFields')!.split(',')
    expect(fields.filter((name) => !(alertMapFact.fields as readonly string[]).includes(name))).toEqual([])
    expect(Number(searchParams.get('resultRecordCount'))).toBeLessThanOrEqual(alertMapFact.maxRows)
    const document = await alertMap().find(pathname, searchParams, at)
    const text = new TextDecoder().decode(await document!.body())
    const { features } = JSON.parse(text) as { features: { properties: object }[] }
    expect(features.length).toBeGreaterThanOrEqual(layer === 1 ? 1 : 0)
    for (const { properties } of features)
      expect(Object.keys(properties).sort()).toEqual(alertMapFact.fields.toSorted())
    expect(readMapRows(text)).toMatchObject({ rejected: [], hasMore: false })
  }
})
