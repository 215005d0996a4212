import { expect, test } from 'vitest'
import { rrfs, rrfsLong } from '../../ingest/datasets/rrfs.ts'
import { readIdx } from '../../ingest/decode/idx.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { wantedVariables } from '../../ingest/domain/dataset/want.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { chooseRecords } from '../../ingest/steps/grid/plan-file.ts'

const RUN = Date.UTC(2026, 8, 26)

/** Lines of a real index of hour 24 over CONUS, cycle 2026-09-26 00Z, without their numbers and offsets. */
const HOUR_24 = `TMP:2 m above ground:24 hour fcst:
DPT:2 m above ground:24 hour fcst:
RH:2 m above ground:24 hour fcst:
UGRD:10 m above ground:24 hour fcst:
VGRD:10 m above ground:24 hour fcst:
GUST:surface:24 hour fcst:
VIS:surface:24 hour fcst:
HGT:cloud ceiling:24 hour fcst:
CEIL:cloud ceiling:24 hour fcst:
TCDC:entire atmosphere (considered as a single layer):23-24 hour ave fcst:
TCDC:entire atmosphere (considered as a single layer):24 hour fcst:
LCDC:low cloud layer:24 hour fcst:
MCDC:middle cloud layer:24 hour fcst:
HCDC:high cloud layer:24 hour fcst:
CAPE:surface:24 hour fcst:
APCP:surface:0-1 day acc fcst:
APCP:surface:23-24 hour acc fcst:
ASNOW:surface:0-1 day acc fcst:
WEASD:surface:24 hour fcst:
TSNOWP:surface:23-24 hour acc fcst:
FRZR:surface:23-24 hour acc fcst:
CSNOW:surface:24 hour fcst:
CICEP:surface:24 hour fcst:
CFRZR:surface:24 hour fcst:
CRAIN:surface:24 hour fcst:
REFC:entire atmosphere (considered as a single layer):24 hour fcst:
LTNG:entire atmosphere:23-24 hour max fcst:
DSWRF:surface:23-24 hour ave fcst:
DSWRF:surface:24 hour fcst:
MSLET:mean sea level:24 hour fcst:
PRES:surface:24 hour fcst:
HGT:surface:24 hour fcst:
MASSDEN:8 m above ground:23-24 hour ave fcst:aerosol=Total aerosol:aerosol_size <2.5e-06
MASSDEN:8 m above ground:24 hour fcst:aerosol=Particulate organic matter dry:aerosol_size <2.5e-06:`

function chosen(dataset: GridDataset, lines: string, lead: number) {
  const index = lines.split('\n').map((line, at) => `${at + 1}:${at * 1000}:d=2026092600:${line}`)
  const plan = chooseRecords(readIdx(index.join('\n')), dataset, 'conus', RUN, lead)
  const texts = plan.wants.flatMap(({ want, messages }) =>
    wantedVariables(want).map((name) => [name, Object.values(messages).map(({ text }) => text)] as const),
  )
  return { texts: Object.fromEntries(texts), absent: plan.absent, doubled: plan.doubled }
}

test('finds every field in the lines of a real index, and none that resembles it', () => {
  const { texts, absent, doubled } = chosen(rrfsLong, HOUR_24, 24)
  expect([absent, doubled]).toEqual([[], []])
  expect(texts).toMatchObject({
    precip_amount: ['APCP:surface:23-24 hour acc fcst:'],
    cloud_cover: ['TCDC:entire atmosphere (considered as a single layer):24 hour fcst:'],
    cloud_ceiling: ['CEIL:cloud ceiling:24 hour fcst:', 'HGT:surface:24 hour fcst:'],
    solar_radiation: ['DSWRF:surface:24 hour fcst:'],
    pressure: ['MSLET:mean sea level:24 hour fcst:'],
    smoke: [expect.stringContaining(':aerosol=Particulate organic matter dry:')],
    wind_direction: ['UGRD:10 m above ground:24 hour fcst:', 'VGRD:10 m above ground:24 hour fcst:'],
  })
})

test('takes the analysis without amounts, and the first hour with its doubled line', () => {
  const analysis = HOUR_24.replaceAll(/^.*(?:acc|ave|max) fcst.*\n/gm, '').replaceAll('24 hour fcst', 'anl')
  expect(chosen(rrfs, analysis, 0)).toMatchObject({ absent: [], doubled: [] })
  const first = HOUR_24.replaceAll('23-24 hour', '0-1 hour')
    .replaceAll(/^.*0-1 day acc.*\n/gm, '')
    .replaceAll('24 hour fcst', '1 hour fcst')
  const twice = `${first}\nTSNOWP:surface:0-1 hour acc fcst:`
  const { texts, absent, doubled } = chosen(rrfs, twice, 1)
  expect([texts['precip_amount'], absent, doubled]).toEqual([['APCP:surface:0-1 hour acc fcst:'], [], []])
})

test('runs to hour 18 every 3 hours, and to hour 84 every 6 hours', () => {
  const at = RUN + 10 * HOUR
  expect(rrfs.runs(at).slice(0, 2)).toEqual([RUN + 9 * HOUR, RUN + 6 * HOUR])
  expect(rrfsLong.runs(at)[0]).toBe(RUN + 6 * HOUR)
  expect(rrfs.leads(RUN + 9 * HOUR, 'hawaii')).toHaveLength(19)
  expect(rrfsLong.leads(RUN + 9 * HOUR, 'hawaii')).toEqual([])
  const long = rrfsLong.leads(RUN + 6 * HOUR, 'alaska')
  expect([long[0], long.at(-1), long.length]).toEqual([19, 84, 66])
})

test('reads only files of fields, of its run and of its domain', () => {
  const key = 'rrfs.20260926/00/rrfs.t00z.2dfld.3km.f012.conus.grib2'
  expect(rrfs.leadOf(key, RUN, 'conus')).toBe(12)
  expect(rrfsLong.leadOf(key, RUN, 'conus')).toBeUndefined()
  for (const other of [
    key.replace('2dfld', 'prslev'),
    key.replace('.2dfld.3km', '.2dfld.3km.subh'),
    key.replace('.conus', '.ak'),
    key.replace('.conus', '.na'),
    key.replace('3km', '13km'),
    key.replace('/00/rrfs.t00z', '/06/rrfs.t06z'),
  ])
    expect(rrfs.leadOf(other, RUN, 'conus')).toBeUndefined()
})
