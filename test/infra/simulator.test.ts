import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMessages } from 'grib2-wasm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { weatherAt } from '../../infra/simulator/atmosphere.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'

const NOW = Date.UTC(2026, 10, 21, 20, 30)
const files = {
  nbm: 'noaa-nbm-grib2-pds.s3.amazonaws.com/blend.20261121/18/core/blend.t18z.core.f006.co.grib2',
  nbmAlaska: 'noaa-nbm-grib2-pds.s3.amazonaws.com/blend.20261121/18/core/blend.t18z.core.f030.ak.grib2',
  nbmHawaii: 'noaa-nbm-grib2-pds.s3.amazonaws.com/blend.20261121/18/core/blend.t18z.core.f001.hi.grib2',
  nbmQmd: 'noaa-nbm-grib2-pds.s3.amazonaws.com/blend.20261121/12/qmd/blend.t12z.qmd.f024.ak.grib2',
  hrrr: 'noaa-hrrr-bdp-pds.s3.amazonaws.com/hrrr.20261121/conus/hrrr.t18z.wrfsfcf03.grib2',
  hrrrAlaska: 'noaa-hrrr-bdp-pds.s3.amazonaws.com/hrrr.20261121/alaska/hrrr.t18z.wrfsfcf02.ak.grib2',
  rapid: 'noaa-rtma-pds.s3.amazonaws.com/rtma2p5_ru.20261121/rtma2p5_ru.t1945z.2dvaranl_ndfd.grb2',
  rtmaHawaii: 'noaa-rtma-pds.s3.amazonaws.com/hirtma.20261121/hirtma.t19z.2dvaranl_ndfd.grb2',
  gfs: 'noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.20261121/12/atmos/gfs.t12z.pgrb2.0p25.f126',
}
let mirror: Mirror
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${mirror.url}/${path}`, { headers })
const bytesOf = async (path: string) => new Uint8Array(await (await get(path)).arrayBuffer())

beforeAll(async () => {
  mirror = await startMirror({ sources: modelSources(16), now: () => NOW })
})
afterAll(() => mirror.close())

describe.each(Object.entries(files))('%s', (_name, path) => {
  test('has an index with the offset of every message, and a listing with its size', async () => {
    const bytes = await bytesOf(path)
    const lines = (await (await get(`${path}.idx`)).text()).trimEnd().split('\n')
    const messages = [...readMessages(bytes)]
    expect(lines.map((line) => Number(line.split(':')[1]))).toEqual(messages.map((message) => message.offset))
    expect(new Set(lines.map((line) => line.split(':').slice(3).join(':'))).size).toBe(lines.length)
    for (const [k, line] of lines.entries()) {
      const { name, level, interval } = messages[k]?.product ?? {}
      const [element, where, when = ''] = line.split(':').slice(3)
      // A product without a known name, level or interval is compared by the octets alone.
      const hasName = name !== undefined && /^[A-Z]/.test(name)
      expect([element, where, when.replace(/@\(fcst.*/, ' fcst')], line).toEqual([
        hasName ? name : element,
        level?.name || where,
        interval || when.replace(/@\(fcst.*/, ' fcst'),
      ])
    }
    const [host, ...key] = path.split('/')
    const listed = await (await get(`${host}/?list-type=2&prefix=${encodeURIComponent(key.join('/'))}`)).text()
    expect(listed).toContain(`<Size>${bytes.length}</Size>`)
  })

  test('has the analytic values at the points of the grid, as read by grib2-wasm', async () => {
    const comparedFields = new Map<string, keyof ReturnType<typeof weatherAt>>([
      ['TMP:2 m above ground', 'temperature'],
      ['DPT:2 m above ground', 'dewPoint'],
      ['VIS:surface', 'visibility'],
      ['PRMSL:mean sea level', 'pressure'],
      ['MSLMA:mean sea level', 'pressure'],
      ['TCDC:surface', 'cloudCover'],
      ['TCDC:entire atmosphere', 'cloudCover'],
      ['WIND:10 m above ground:50% level', 'windSpeed'],
      ['GUST:10 m above ground:50% level', 'windGust'],
    ])
    const lines = (await (await get(`${path}.idx`)).text()).trimEnd().split('\n')
    let compared = 0
    for (const [k, message] of [...readMessages(await bytesOf(path))].entries()) {
      const line = lines[k] ?? ''
      const [element, where, , tail] = line.split(':').slice(3)
      const field = comparedFields.get(`${element}:${where}${tail && `:${tail}`}`)
      if (!field) continue
      const values = message.values()
      const end = message.product.end?.getTime() ?? Number.NaN
      for (const [at, value] of values.entries()) {
        if (at % 997 !== 17) continue
        const { lat, lon } = position(message.grid.toLatLon(at % message.grid.nx, Math.floor(at / message.grid.nx)))
        if (lat < 15 || lat > 75 || (lon > -60 && lon < 170)) continue
        expect(Math.abs(value - weatherAt(lat, lon, end)[field]), `${line} at ${lat},${lon}`).toBeLessThanOrEqual(
          message.packing.quantum * 0.51 + 0.02,
        )
        compared++
      }
    }
    expect(compared).toBeGreaterThan(5)
  })
})

function position(at: ArrayLike<number> | { lat: number; lon: number }): { lat: number; lon: number } {
  const { lat, lon } = 'lat' in at ? at : { lat: at[0] ?? Number.NaN, lon: at[1] ?? Number.NaN }
  return { lat, lon: lon > 180 ? lon - 360 : lon }
}

test('turns winds along the grid back to the true wind', async () => {
  const messages = [...readMessages(await bytesOf(files.hrrrAlaska))]
  const u = messages.find(({ product }) => product.name === 'UGRD')
  const v = messages.find(({ product }) => product.name === 'VGRD')
  if (!u?.product.end || !v) throw new Error('the file has no wind')
  expect(u.grid.uvRelativeToGrid).toBe(true)
  const us = u.values()
  const vs = v.values()
  for (let at = 11; at < us.length; at += 531) {
    const [alongX = Number.NaN, alongY = Number.NaN] = [us[at], vs[at]]
    const i = at % u.grid.nx
    const j = Math.floor(at / u.grid.nx)
    const { lat, lon } = position(u.grid.toLatLon(i, j))
    const angle = u.grid.windRotation(i, j)
    const truth = weatherAt(lat, lon, u.product.end.getTime())
    expect(alongX * Math.cos(angle) + alongY * Math.sin(angle)).toBeCloseTo(truth.windU, 1)
    expect(alongY * Math.cos(angle) - alongX * Math.sin(angle)).toBeCloseTo(truth.windV, 1)
  }
})

const ecCodes = spawnSync('grib_ls', ['-V']).status === 0
test.runIf(ecCodes)('gives ecCodes the same minimum, maximum and mean of every message', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-'))
  for (const [name, path] of Object.entries(files)) {
    const bytes = await bytesOf(path)
    const file = join(folder, name)
    writeFileSync(file, bytes)
    // ecCodes counts values equal to its missing value, 9999 by default: a visibility may be that.
    const options = ['-s', 'missingValue=-1000000', '-p', 'min,max,average,numberOfMissing', file]
    const printed = execFileSync('grib_get', options, { encoding: 'utf8' }).trim().split('\n')
    const messages = [...readMessages(bytes)]
    expect(printed.length).toBe(messages.length)
    for (const [k, message] of messages.entries()) {
      const [min = Number.NaN, max = Number.NaN, , missing] = (printed[k] ?? '').trim().split(/\s+/).map(Number)
      const values = message.values().filter((value) => !Number.isNaN(value))
      expect(message.points - values.length).toBe(missing)
      if (values.length === 0) continue
      expect(values.reduce((a, b) => Math.min(a, b))).toBeCloseTo(min, 1)
      expect(values.reduce((a, b) => Math.max(a, b)) / Math.max(1, Math.abs(max))).toBeCloseTo(
        max / Math.max(1, Math.abs(max)),
        4,
      )
    }
  }
  rmSync(folder, { recursive: true })
})

describe('the mirror', () => {
  test('answers ranges, conditions and pages of a listing as S3 does', async () => {
    const full = await get(files.nbmHawaii)
    const bytes = new Uint8Array(await full.arrayBuffer())
    const etag = full.headers.get('etag') ?? ''
    const part = await get(files.nbmHawaii, { range: 'bytes=100-199', 'if-match': etag })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${bytes.length}`])
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(100, 200))
    expect((await get(files.nbmHawaii, { 'if-match': '"other"' })).status).toBe(412)
    expect((await get(files.nbmHawaii, { 'if-none-match': etag })).status).toBe(304)
    expect((await get(files.nbmHawaii, { range: `bytes=${bytes.length}-` })).status).toBe(416)
    const end = await get(files.nbmHawaii, { range: 'bytes=-10' })
    expect(new Uint8Array(await end.arrayBuffer())).toEqual(bytes.slice(-10))
    const written = full.headers.get('last-modified') ?? ''
    const before = new Date(Date.parse(written) - 1000).toUTCString()
    for (const [headers, status] of [
      [{ 'if-match': `"other", ${etag}` }, 200],
      [{ 'if-none-match': `"other", W/${etag}` }, 304],
      [{ 'if-none-match': '"other"', 'if-modified-since': written }, 200],
      [{ 'if-modified-since': written }, 304],
      [{ 'if-modified-since': before }, 200],
      [{ 'if-unmodified-since': before }, 412],
    ] as const) {
      expect((await get(files.nbmHawaii, headers)).status).toBe(status)
    }
    const host = 'noaa-nbm-grib2-pds.s3.amazonaws.com'
    const all: string[] = []
    for (let token = ''; ; ) {
      const text = await (
        await get(
          `${host}/?list-type=2&prefix=blend.20261121/18/core/&max-keys=250${token && `&continuation-token=${encodeURIComponent(token)}`}`,
        )
      ).text()
      all.push(...[...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key))
      token = /<NextContinuationToken>([^<]+)</.exec(text)?.[1] ?? ''
      if (!token) break
    }
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBe(600)
    const folded = await (await get(`${host}/?list-type=2&prefix=blend.20261121/&delimiter=/`)).text()
    expect(folded).toContain('<Prefix>blend.20261121/18/</Prefix>')
  })

  test('misbehaves on request', async () => {
    const bytes = await bytesOf(files.nbmHawaii)
    const misbehaving = async (how: 'late' | 'listed-early' | '503' | 'truncate' | 'corrupt', times?: number) => {
      mirror.misbehaviours.splice(0, 9, { path: 'f001.hi', how, times })
      return get(files.nbmHawaii)
    }
    expect((await misbehaving('late')).status).toBe(404)
    expect((await misbehaving('listed-early')).status).toBe(404)
    expect((await misbehaving('503', 1)).status).toBe(503)
    expect((await get(files.nbmHawaii)).status).toBe(200)
    await expect(misbehaving('truncate').then((response) => response.arrayBuffer())).rejects.toThrow()
    expect(new Uint8Array(await (await misbehaving('corrupt')).arrayBuffer())).not.toEqual(bytes)
    // The fault applies to ranges too: the middle of a file is padding, which is never read.
    const range = await get(files.nbmHawaii, { range: 'bytes=1000-1999' })
    const part = new Uint8Array(await range.arrayBuffer())
    expect(part.findIndex((byte, at) => byte !== bytes[1000 + at])).toBe(500)
    mirror.misbehaviours.length = 0
    const setMisbehaviours = (body: string) => fetch(`${mirror.url}/_misbehave`, { method: 'POST', body })
    expect(await (await setMisbehaviours('[{"path":"f001.hi","how":"empty"}]')).json()).toHaveLength(1)
    expect((await (await get(files.nbmHawaii)).arrayBuffer()).byteLength).toBe(0)
    for (const [wrong, why] of [
      ['nothing', /the body is not JSON; expected a list such as/],
      ['{}', /the body is not a list; expected a list/],
      ['[{"how":"late"}]', /a member has no "path"/],
      ['[{"path":"a","how":"never"}]', /"how" is "never", but must be one of .*truncate/],
    ] as const) {
      const refused = await setMisbehaviours(wrong)
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(why)])
    }
    expect(mirror.misbehaviours).toHaveLength(1)
    mirror.misbehaviours.length = 0
  })

  test('lists a run lead by lead, and not before its time', async () => {
    const early = await startMirror({ sources: modelSources(16), now: () => Date.UTC(2026, 10, 21, 18, 55) })
    const text = await (
      await fetch(`${early.url}/noaa-nbm-grib2-pds.s3.amazonaws.com/?list-type=2&prefix=blend.20261121/18/core/`)
    ).text()
    expect(text).toContain('f001.co.grib2<')
    expect(text).not.toContain('f264.co.grib2<')
    await early.close()
  })
})
