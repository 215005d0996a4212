import { stamp } from '../../ingest/domain/time.ts'

/**
 * Facts about NOAA's buckets, each with its source. The simulator takes its keys, leads and delays from this table, and
 * test/datasets/upstream-facts.test.ts compares the declarations of `ingest/datasets` with it.
 */

/** Files of one model or analysis in one area. */
export interface ModelFact {
  readonly dataset: string
  readonly domain: 'conus' | 'alaska' | 'hawaii'
  readonly bucket: string
  /** Key, with {day} (YYYYMMDD), {hh}, {mm}, {ff} and {fff} for date, hour and minute of the run and two or three digits of the lead. */
  readonly key: string
  /** Minutes from the reference time of a run to its first and its last file. */
  readonly firstMinutes: number
  readonly lastMinutes: number
  readonly source: string
}

const NBM_KEYS = 'open-meteo NbmDomain.swift and a listing of 2026-03-01'
const ANALYSIS = 'Herbie rtma.py and urma.py; Pirate Weather reads RTMA-RU at +25 min'

const nbmCore = (domain: ModelFact['domain'], area: string): ModelFact => ({
  dataset: 'nbm',
  domain,
  bucket: 'noaa-nbm-grib2-pds',
  key: `blend.{day}/{hh}/core/blend.t{hh}z.core.f{fff}.${area}.grib2`,
  firstMinutes: 50,
  lastMinutes: 75,
  source: NBM_KEYS,
})
const nbmQmd = (domain: ModelFact['domain'], area: string): ModelFact => ({
  dataset: 'nbm-qmd',
  domain,
  bucket: 'noaa-nbm-grib2-pds',
  key: `blend.{day}/{hh}/qmd/blend.t{hh}z.qmd.f{fff}.${area}.grib2`,
  firstMinutes: 405,
  // The median of recorded delays; 90 of 100 runs are ready after 441 minutes.
  lastMinutes: 435,
  source: `${NBM_KEYS}; delays recorded by readers in 2026`,
})
const rrfs = (domain: ModelFact['domain'], step: string, area: string): ModelFact => ({
  dataset: 'rrfs',
  domain,
  bucket: 'noaa-rrfs-ops-pds',
  key: `rrfs.{day}/{hh}/rrfs.t{hh}z.2dfld.${step}.f{fff}.${area}.grib2`,
  firstMinutes: 100,
  // Hour 18; hour 84 comes after 212 minutes.
  lastMinutes: 141,
  source: 'open-meteo indexes and the census of dynamical.org, both of 2026-09, before the implementation',
})
const refs = (dataset: string, product: string): readonly ModelFact[] =>
  (
    [
      ['conus', 'conus'],
      ['alaska', 'ak'],
      ['hawaii', 'hi'],
    ] as const
  ).map(([domain, area]) => ({
    dataset,
    domain,
    bucket: 'noaa-rrfs-ops-pds',
    key: `refs.{day}/{hh}/ensprod/refs.t{hh}z.${product}.f{ff}.${area}.grib2`,
    firstMinutes: 115,
    // Readers stop waiting after 4 hours; recorded delays were not found.
    lastMinutes: 240,
    source: 'indexes of dynamical.org of 2026-08 to 2026-10, before the implementation',
  }))
const analysis = (
  [dataset, domain, bucket]: readonly [string, ModelFact['domain'], string],
  name: string,
  time: string,
  suffix: string,
  minutes: number,
): ModelFact => ({
  dataset,
  domain,
  bucket,
  key: `${name}.{day}/${name}.t${time}z.2dvaranl_ndfd${suffix}`,
  firstMinutes: minutes,
  lastMinutes: minutes,
  source: ANALYSIS,
})

export const modelFacts: readonly ModelFact[] = [
  nbmCore('conus', 'co'),
  nbmCore('alaska', 'ak'),
  nbmCore('hawaii', 'hi'),
  nbmQmd('conus', 'co'),
  nbmQmd('alaska', 'ak'),
  nbmQmd('hawaii', 'hi'),
  {
    dataset: 'hrrr',
    domain: 'conus',
    bucket: 'noaa-hrrr-bdp-pds',
    key: 'hrrr.{day}/conus/hrrr.t{hh}z.wrfsfcf{ff}.grib2',
    firstMinutes: 51,
    lastMinutes: 86,
    source: 'dynamical.org reformatters: f00 after 51 min, f18 after 86 min',
  },
  {
    dataset: 'hrrr',
    domain: 'alaska',
    bucket: 'noaa-hrrr-bdp-pds',
    key: 'hrrr.{day}/alaska/hrrr.t{hh}z.wrfsfcf{ff}.ak.grib2',
    firstMinutes: 51,
    lastMinutes: 86,
    source: 'Herbie hrrr.py',
  },
  rrfs('conus', '3km', 'conus'),
  rrfs('alaska', '3km', 'ak'),
  rrfs('hawaii', '2p5km', 'hi'),
  ...refs('refs', 'prob'),
  ...refs('refs-agreement', 'eas'),
  ...refs('refs-mean', 'mean'),
  ...refs('refs-spread', 'sprd'),
  analysis(['rtma', 'conus', 'noaa-rtma-pds'], 'rtma2p5', '{hh}', '.grb2_wexp', 35),
  analysis(['rtma-ru', 'conus', 'noaa-rtma-pds'], 'rtma2p5_ru', '{hh}{mm}', '.grb2', 22),
  analysis(['rtma', 'alaska', 'noaa-rtma-pds'], 'akrtma', '{hh}', '_3p0.grb2', 38),
  analysis(['rtma', 'hawaii', 'noaa-rtma-pds'], 'hirtma', '{hh}', '.grb2', 33),
  analysis(['urma', 'conus', 'noaa-urma-pds'], 'urma2p5', '{hh}', '.grb2_wexp', 360),
  analysis(['urma', 'alaska', 'noaa-urma-pds'], 'akurma', '{hh}', '_3p0.grb2', 360),
  analysis(['urma', 'hawaii', 'noaa-urma-pds'], 'hiurma', '{hh}', '.grb2', 360),
  {
    dataset: 'gfs',
    domain: 'conus',
    bucket: 'noaa-gfs-bdp-pds',
    key: 'gfs.{day}/{hh}/atmos/gfs.t{hh}z.pgrb2.0p25.f{fff}',
    firstMinutes: 215,
    lastMinutes: 300,
    source: 'listings of noaa-gfs-bdp-pds, version 16',
  },
]

/** The layout to which GFS version 17 moves. */
export const GFS_17_KEY = {
  key: 'gfs.{day}/{hh}/products/atmos/grib2/0p25/gfs.t{hh}z.pres_a.0p25.f{fff}.grib2',
  source: "NCEP's parallel of version 17 and rocoto of global-workflow; not operational by 2026-10-06",
} as const

const steps = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)

/** Leads of NBM core as they were listed, by the hour of the cycle. */
export const listedNbmLeads: readonly {
  readonly hour: number
  readonly leads: readonly number[]
  readonly source: string
}[] = [
  {
    hour: 16,
    leads: [...steps(1, 36, 1), ...steps(38, 188, 3), ...steps(194, 260, 6)],
    source: 'listing of 2026-03-01, 99 files',
  },
  {
    hour: 3,
    leads: [...steps(1, 36, 1), ...steps(39, 189, 3), ...steps(195, 261, 6)],
    source: 'listing of 2026-03-01: 186, 189, 195, …, 261',
  },
]

/** A recorded key of a frame and the time that it represents. */
export const frameFacts = [
  {
    dataset: 'storm-tracks',
    domain: 'conus',
    key: 'ProbSevere/20261004/MRMS_PROBSEVERE_20261004_235839.json',
    time: '2026-10-04T23:58:39Z',
    source: 'listed by several readers of noaa-mrms-pds in September and October 2026',
  },
  {
    dataset: 'mrms-precip-rate',
    domain: 'conus',
    key: 'CONUS/PrecipRate_00.00/20260219/MRMS_PrecipRate_00.00_20260219-042400.grib2.gz',
    time: '2026-02-19T04:24:00Z',
    source: 'an archived file of 2026',
  },
  {
    dataset: 'mrms-qpe-1h-pass1',
    domain: 'alaska',
    key: 'ALASKA/MultiSensor_QPE_01H_Pass1_00.00/20220904/MRMS_MultiSensor_QPE_01H_Pass1_00.00_20220904-015800.grib2.gz',
    time: '2022-09-04T02:00:00Z',
    source: 'an archived file of 2022, whose time is two minutes before its hour',
  },
  {
    dataset: 'storm-cells',
    domain: 'hawaii',
    key: 'HKI_NST_2026_07_10_05_07_19',
    time: '2026-07-10T05:07:19Z',
    source: 'a listing of unidata-nexrad-level3 of 2026',
  },
] as const

/**
 * NOAA's map service of watches and warnings (ArcGIS 11.3). Layer 1 has one row for each zone of a message; the zones
 * of a message share its `cap_id`, which is the id of the message at api.weather.gov. A blank field is a single space.
 * Times of alerts are text with an offset; times of the service itself are milliseconds. The service does not state how
 * often it is updated; one description says five minutes, and rows are taken in about 20 s after their files. Answers
 * pass through a cache that stores copies by the Accept header, and are at times empty although alerts are in force.
 */
export const alertMapFact = {
  host: 'mapservices.weather.noaa.gov',
  path: '/eventdriven/rest/services/WWA/watch_warn_adv/MapServer',
  layers: ['CurrentWarnings', 'WatchesWarnings'],
  fields: [
    'objectid',
    'prod_type',
    'msg_type',
    'phenom',
    'url',
    'expiration',
    'onset',
    'ends',
    'issuance',
    'event',
    'sig',
    'wfo',
    'idp_filedate',
    'idp_ingestdate',
    'cap_id',
  ],
  /**
   * This is an assumption: no reader has recorded the limit of this service; the default of ArcGIS is 1,000 or 2,000.
   */
  maxRows: 1000,
  source:
    'layers, fields, types and rows by zone: notes of the-x1x1/oneview of 2026-09-23; all fields and blanks: a query of 2026-08-25; rows of watches: d4vid87/hookecho pull request 261 of 2026-08-31; robots.txt redirects to a page, 2026-10-07; caches and empty answers: readers of 2026-10',
} as const

/** Delay between two requests that the robots.txt of hosts asked for on 2026-10-07, s. */
export const crawlDelays = [
  { host: 'www.spc.noaa.gov', seconds: 10, source: 'robots.txt of 2026-10-07: Disallow: /, Crawl-delay: 10' },
] as const

/** Index names without evidence in any recorded file; the simulator does not write them. */
export const absentNames = [
  { dataset: 'nbm', variable: 'severe_prob', source: 'PRSVR was seen in no index of 2026' },
  { dataset: 'nbm', variable: 'wind_speed_prob_gt_75mph', source: 'WIND > 33.528 was seen in no index of 2026' },
  { dataset: 'nbm-qmd', variable: 'wind_speed_prob_gt_75mph', source: 'thresholds of 2024: WIND > 8, 11, 15, 17 m/s' },
] as const

/** The run of the last key and its time in words: a listing asks for each lead of a run in turn, and formatting takes longest. */
let stamped = { run: Number.NaN, day: '', hour: '', minute: '' }

/** Returns the key of a fact for a run and a lead. */
export function keyOf({ key }: { readonly key: string }, run: number, lead: number): string {
  if (run !== stamped.run) stamped = { run, ...stamp(run) }
  return key
    .replaceAll('{day}', stamped.day)
    .replaceAll('{hh}', stamped.hour)
    .replaceAll('{mm}', stamped.minute)
    .replaceAll('{fff}', String(lead).padStart(3, '0'))
    .replaceAll('{ff}', String(lead).padStart(2, '0'))
}

/** Returns the fact of a dataset in a domain. @throws Error if there is none */
export function modelFact(dataset: string, domain: ModelFact['domain']): ModelFact {
  const fact = modelFacts.find((entry) => entry.dataset === dataset && entry.domain === domain)
  if (!fact) throw new Error(`facts: there is no ${dataset} in ${domain}`)
  return fact
}
