import { expect, test } from 'vitest'
import { refs, refsAgreement, refsMean, refsSpread } from '../../ingest/datasets/refs.ts'
import { readIdx } from '../../ingest/decode/idx.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { wantedVariables } from '../../ingest/domain/dataset/want.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { chooseRecords } from '../../ingest/steps/grid/plan-file.ts'

const RUN = Date.UTC(2026, 8, 15, 12)

/** Lines of the index of probabilities of hour 24 over CONUS, cycle 2026-09-15 12Z: those that are read, and those that resemble them. */
const PROBABILITIES = `VIS:surface:24 hour fcst:prob <400:prob fcst 0/14
VIS:surface:24 hour fcst:prob <1600:prob fcst 0/14
VIS:surface:24 hour fcst:prob <3200:prob fcst 0/14
VIS:surface:24 hour fcst:prob <4829:prob fcst 0/14
VIS:surface:24 hour fcst:prob <8049:prob fcst 0/14
APCP:surface:0-1 day acc fcst:prob >25.4:prob fcst 0/14:Neighborhood Probability
ASNOW:surface:12-24 hour acc fcst:prob >0.025:prob fcst 0/14:Neighborhood Probability
ASNOW:surface:0-1 day acc fcst:prob >0.025:prob fcst 0/14:Neighborhood Probability
ASNOW:surface:0-1 day acc fcst:prob >0.076:prob fcst 0/14:Neighborhood Probability
ASNOW:surface:0-1 day acc fcst:prob >0.152:prob fcst 0/14:Neighborhood Probability
ASNOW:surface:0-1 day acc fcst:prob >0.304:prob fcst 0/14:Neighborhood Probability
ASNOW:surface:0-1 day acc fcst:prob >0.457:prob fcst 0/14:Neighborhood Probability
CSNOW:surface:24 hour fcst:prob >=1 <0:prob fcst 0/14
var discipline=0 center=7 local_table=1 parmcat=6 parm=202:0 m above ground:24 hour fcst:prob >0.016:prob fcst 0/14
HGT:cloud ceiling:24 hour fcst:prob <152.4:prob fcst 0/14
HGT:cloud ceiling:24 hour fcst:prob <305:prob fcst 0/14
HGT:cloud ceiling:24 hour fcst:prob <610:prob fcst 0/14
HGT:cloud ceiling:24 hour fcst:prob <915:prob fcst 0/14`

/** Lines of the agreement scale of hour 60, cycle 2026-08-13 00Z. */
const AGREEMENT = `APCP:surface:59-60 hour acc fcst:prob >0.254:prob fcst 0/6:process=197
APCP:surface:57-60 hour acc fcst:prob >0.254:prob fcst 0/6:process=197
APCP:surface:54-60 hour acc fcst:prob >0.254:prob fcst 0/6:process=197
APCP:surface:48-60 hour acc fcst:prob >2.54:prob fcst 0/6:process=197
APCP:surface:36-60 hour acc fcst:prob >2.54:prob fcst 0/6:process=197
APCP:surface:36-60 hour acc fcst:prob >6.35:prob fcst 0/6:process=197
APCP:surface:36-60 hour acc fcst:prob >12.7:prob fcst 0/6:process=197
APCP:surface:36-60 hour acc fcst:prob >25.4:prob fcst 0/6:process=197
APCP:surface:36-60 hour acc fcst:prob >50.8:prob fcst 0/6:process=197
APCP:surface:36-60 hour acc fcst:prob >76.2:prob fcst 0/6:process=197
APCP:surface:36-60 hour acc fcst:prob >127:prob fcst 0/6:process=197`

const MEAN = `MSLET:mean sea level:24 hour fcst:wt ens mean
HGT:surface:24 hour fcst:wt ens mean
TMP:850 mb:24 hour fcst:wt ens mean
TMP:2 m above ground:24 hour fcst:wt ens mean
DPT:2 m above ground:24 hour fcst:wt ens mean
TCDC:entire atmosphere (considered as a single layer):24 hour fcst:wt ens mean
APCP:surface:18-24 hour acc fcst:wt ens mean
APCP:surface:23-24 hour acc fcst:wt ens mean
WIND:10 m above ground:24 hour fcst:wt ens mean
WIND:80 m above ground:24 hour fcst:wt ens mean`

const SPREAD = `HGT:surface:24 hour fcst:ens spread
HGT:surface:24 hour fcst:ens spread:process=193
TMP:2 m above ground:24 hour fcst:ens spread
DPT:2 m above ground:24 hour fcst:ens spread
WIND:10 m above ground:24 hour fcst:ens spread`

function chosen(dataset: GridDataset, lines: string, lead: number) {
  const index = lines.split('\n').map((line, at) => `${at + 1}:${at * 1000}:d=2026091512:${line}`)
  const plan = chooseRecords(readIdx(index.join('\n')), dataset, 'conus', RUN, lead)
  const texts = plan.wants.flatMap(({ want, messages }) =>
    wantedVariables(want).map(
      (name) =>
        [
          name,
          Object.values(messages)
            .map(({ text }) => text)
            .join(),
        ] as const,
    ),
  )
  return { texts: Object.fromEntries(texts), absent: plan.absent, doubled: plan.doubled }
}

const sound = { absent: [], doubled: [] }

test('finds each probability by its limit and window in the lines of a real index', () => {
  const plan = chosen(refs, PROBABILITIES, 24)
  expect(plan).toMatchObject(sound)
  expect(plan.texts).toMatchObject({
    ensemble_visibility_prob_below_1mi: 'VIS:surface:24 hour fcst:prob <1600:prob fcst 0/14',
    ensemble_ceiling_prob_below_1000ft: 'HGT:cloud ceiling:24 hour fcst:prob <305:prob fcst 0/14',
    ensemble_snow_nearby_prob_gt_1in: expect.stringContaining(':0-1 day acc fcst:prob >0.025:'),
    ensemble_snow_nearby_prob_gt_18in: expect.stringContaining(':0-1 day acc fcst:prob >0.457:'),
  })
})

test('matches every denominator', () => {
  for (const denominator of [14, 13, 12, 6, 1]) {
    const plan = chosen(refs, PROBABILITIES.replaceAll('0/14', `0/${denominator}`), 24)
    expect(plan).toMatchObject(sound)
    expect(Object.keys(plan.texts)).toHaveLength(refs.wants.length)
  }
})

test('reads precipitation of the point with its windows', () => {
  const plan = chosen(refsAgreement, AGREEMENT, 60)
  expect(plan).toMatchObject(sound)
  expect(plan.texts).toMatchObject({
    ensemble_precip_probability: expect.stringContaining(':59-60 hour acc fcst:'),
    ensemble_precip_probability_6h: expect.stringContaining(':54-60 hour acc fcst:'),
    ensemble_precip_prob_gt_010in: expect.stringContaining(':36-60 hour acc fcst:prob >2.54:'),
  })
})

test('expects only the hour at leads between the third hours', () => {
  const line = 'APCP:surface:48-49 hour acc fcst:prob >0.254:prob fcst 0/12:process=197'
  const plan = chosen(refsAgreement, line, 49)
  expect(plan).toMatchObject(sound)
  expect(Object.keys(plan.texts)).toEqual(['ensemble_precip_probability', 'ensemble_members'])
})

test('reads means and spreads, and not the line that resembles one', () => {
  expect(chosen(refsMean, MEAN, 24)).toMatchObject({
    ...sound,
    texts: { precip_amount: expect.stringMatching(/23-24/) },
  })
  expect(chosen(refsSpread, SPREAD, 24)).toMatchObject(sound)
})

test('has leads 1 to 60 of two digits in four cycles, and no other product', () => {
  expect(refs.runs(RUN + 7 * HOUR).slice(0, 2)).toEqual([RUN + 6 * HOUR, RUN])
  const leads = refs.leads(RUN, 'hawaii')
  expect([leads[0], leads.at(-1), leads.length]).toEqual([1, 60, 60])
  const key = 'refs.20260915/12/ensprod/refs.t12z.prob.f06.conus.grib2'
  expect(refs.file(RUN, 'conus', 6).url.endsWith(key)).toBe(true)
  expect(refs.leadOf(key, RUN, 'conus')).toBe(6)
  for (const other of [key.replace('prob', 'mean'), key.replace('conus', 'ak'), key.replace('f06', 'f006')])
    expect(refs.leadOf(other, RUN, 'conus')).toBeUndefined()
})
