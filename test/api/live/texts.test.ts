import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import { type TextWatch, watchTexts } from '../../../api/live/text-watch.ts'
import { textsAt } from '../../../api/live/texts.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import type { TextIssue, TextKind, TextSegment } from '../../../ingest/domain/text/product.ts'
import { textListName, textLists } from '../../../ingest/domain/text/product.ts'
import { HOUR, MINUTE } from '../../../ingest/domain/time.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { markConfirmed, markFailed, nextVersion } from '../../../sql/queries/feeds.ts'
import { putIssues, putItem } from '../../../sql/queries/texts.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { parsed } from '../answer/parsed.ts'

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON answer
type Json = any

let dataDir: string
let database: Database
let watch: TextWatch
let serial = 0

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-text-source-'))
  database = await openDatabase({ dataDir, databasePool: 1 })
})

beforeEach(async () => {
  await database.query('truncate text_item, text_product, feed_state cascade')
  await watch?.close()
  watch = await watchTexts({ database, clock: Date.now })
})

afterAll(async () => {
  await watch.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

const confirm = async (...names: string[]) => {
  const all = names.length > 0 ? names : textLists.map(textListName)
  for (const name of all) await markConfirmed(database, name, { suspicious: false, rejected: {} })
}

async function put(kind: TextKind, over: Partial<TextIssue> = {}, list = `text/${kind}`): Promise<string> {
  const id = `item-${String(++serial).padStart(8, '0')}`
  const at = Date.now() - HOUR
  const issue: TextIssue = {
    kind,
    awips: `${kind.toUpperCase()}BOU`,
    office: 'KBOU',
    subject: `${kind} KBOU ${over.desk ?? ''}`,
    wmoAt: at,
    issuedAt: at,
    currentUntil: at + 24 * HOUR,
    sections: {},
    body: `${kind} body`,
    ...over,
  }
  await database.transaction(async (tx) => {
    await putItem(tx, { id, list, office: issue.office, issuedAt: new Date(issue.wmoAt), outcome: 'read' })
    await putIssues(tx, id, [issue], await nextVersion(tx))
  })
  return id
}

const mcd = (number: number, until: number, lon = -105): Partial<TextIssue> => ({
  office: 'KWNS',
  awips: 'SWOMCD',
  subject: `mcd 2026 ${number}`,
  summary: `discussion ${number}`,
  currentUntil: Date.now() + until,
  expiresAt: Date.now() + until,
  mesoscale: {
    number,
    validFrom: Date.now() - HOUR,
    concerning: 'Severe potential',
    watch_probability: 20,
    attention: ['BOU'],
    ring: [
      [lon - 1, 39],
      [lon + 1, 39],
      [lon + 1, 41],
      [lon - 1, 41],
      [lon - 1, 39],
    ],
  },
})

const segment = (zones: string[], over: Partial<TextSegment> = {}): TextSegment => ({
  zones,
  endsAt: Date.now() + 5 * HOUR,
  body: `segment of ${zones.join()}`,
  sections: {},
  ...over,
})

async function ask(
  include = 'guidance',
  lat = '39.74',
  lon = '-104.99',
): Promise<{ value: Json; cache: string; codes: string[] }> {
  await watch.read()
  const now = Date.now()
  const weather = createWeather({
    current: analyticCurrent(now),
    datasets: gridDatasets,
    suppliers: { texts: textsAt(watch) },
    resolution: 7,
  })
  const answer = await weather.answer(parseWeather({ lat, lon, include }), now)
  const value = parsed(answer) as Json
  const codes = value.meta.warnings.map(({ code, section }: Json) => `${code}:${section}`)
  return { value, cache: answer.cacheControl(now), codes }
}

test('reports no texts and no absence of texts before the lists were read', async () => {
  const { value, cache, codes } = await ask('guidance,discussions')
  expect([value.guidance, value.discussions, cache]).toEqual([undefined, undefined, 'no-store'])
  expect(codes).toEqual(expect.arrayContaining(['stale_source:guidance', 'stale_source:discussions']))
  // The number of discussions is unknown while only the lists of offices have been read.
  await confirm('text/afd', 'text/hwo')
  expect((await ask()).value.guidance).toBeUndefined()
})

describe('at a point', () => {
  test('has every text for the place, and none for other places', async () => {
    await confirm()
    await put('afd', { afd: { synopsis: 'Dry.', key_takeaway: 'Dry.' } })
    await put('afd', { office: 'KPUB', subject: 'afd KPUB', body: 'other office' })
    await put('hwo', {
      segments: [
        segment(['COZ041'], { body: 'mountains' }),
        segment(['COZ040'], { body: 'Denver', has_active_hazards: false, summary: 'Quiet.' }),
      ],
    })
    await put('now', {
      segments: [segment(['COZ040'], { summary: 'Rain soon.' })],
      currentUntil: Date.now() + 5 * HOUR,
    })
    await put('mcd', mcd(7, HOUR), 'text/swo-mcd')
    await put('mcd', mcd(8, HOUR, -90), 'text/swo-mcd')
    await put('pmd', { office: 'KWBC', awips: 'PMDSPD', desk: 'SPD', summary: 'Storms' })
    await put('pmd', { office: 'KWBC', awips: 'PMDHI', desk: 'HI' })
    const { value, cache, codes } = await ask('guidance,discussions')
    const { guidance, discussions } = value
    expect(guidance.afd).toMatchObject({ synopsis: 'Dry.', wfo: 'BOU', body: 'afd body' })
    expect(guidance.afd).not.toHaveProperty('confidence')
    expect(guidance.hwo).toMatchObject({ body: 'Denver', has_active_hazards: false, summary: 'Quiet.' })
    expect(guidance.now).toMatchObject({ summary: 'Rain soon.', wfo: 'BOU' })
    expect(guidance).not.toHaveProperty('hls')
    expect([guidance.active_mcds, guidance.active_mpds]).toEqual([1, 0])
    expect(guidance.mcds[0]).toMatchObject({ mcd_number: 7, watch_probability: 20, summary: 'discussion 7' })
    expect(guidance.mpds).toEqual([])
    expect(guidance.pmds.map((pmd: Json) => pmd.pmd_desk)).toEqual(['SPD'])
    expect(discussions).toEqual({ mesoscale: guidance.mcds, area_forecast: guidance.afd })
    expect([codes, cache]).toEqual([expect.not.arrayContaining(['stale_source:guidance']), 'max-age=60'])
    expect(value.meta.freshness).toContainEqual(expect.objectContaining({ source: 'text', product_id: 'nws-texts' }))
    expect((await ask('guidance', '21.31', '-157.86')).value.guidance.pmds.map((pmd: Json) => pmd.pmd_desk)).toEqual([
      'HI',
    ])
  })

  test('selects the outlook for the zone of the place among several products of the office', async () => {
    await confirm()
    const at = Date.now()
    const outlook = (awips: string, hours: number, zone: string) =>
      put('hwo', {
        awips,
        subject: `hwo ${awips} KBOU`,
        issuedAt: at - hours * HOUR,
        wmoAt: at - hours * HOUR,
        segments: [segment([zone], { body: `${awips} ${hours}` })],
      })
    await outlook('HWOBOU', 1, 'COZ033')
    await outlook('HWODEN', 3, 'COZ040')
    expect((await ask()).value.guidance.hwo.body).toBe('HWODEN 3')
    await outlook('HWOFNL', 2, 'COZ040')
    expect((await ask()).value.guidance.hwo.body).toBe('HWOFNL 2')
  })

  test('caches an answer only until its discussion ends, to the second', async () => {
    await confirm()
    await put('afd')
    await put('mcd', mcd(7, 4000), 'text/swo-mcd')
    const end = Date.now() + 4000
    const { value, cache } = await ask()
    expect(value.guidance.active_mcds).toBe(1)
    expect(Number(cache.replace('max-age=', ''))).toBeLessThanOrEqual(4)
    await new Promise((resolve) => setTimeout(resolve, end - Date.now() + 50))
    expect((await ask()).value.guidance.active_mcds).toBe(0)
  })

  test('leaves out texts that are over: an AFD after a day with a warning, the others without', async () => {
    await confirm()
    await put('afd', {
      wmoAt: Date.now() - 25 * HOUR,
      issuedAt: Date.now() - 25 * HOUR,
      currentUntil: Date.now() - HOUR,
    })
    await put('hwo', { segments: [segment(['COZ040'], { endsAt: Date.now() - MINUTE })] })
    const { value, codes, cache } = await ask()
    expect([value.guidance.afd, value.guidance.hwo]).toEqual([undefined, undefined])
    expect([codes.filter((code) => code.endsWith(':guidance')), cache]).toEqual([['stale_source:guidance'], 'no-store'])
  })
})

describe('failures of lists and texts', () => {
  const refuse = (list: string, office: string, issuedAt = Date.now() - MINUTE) =>
    putItem(database, {
      id: `bad-${String(++serial).padStart(8, '0')}`,
      list,
      office,
      issuedAt: new Date(issuedAt),
      outcome: 'rejected',
      reason: 'cut',
    })

  test('degrades only answers of the office whose newest text was rejected', async () => {
    await confirm()
    await put('afd')
    await refuse('text/afd', 'KPUB')
    expect((await ask()).cache).toBe('max-age=60')
    await refuse('text/afd', 'KBOU')
    const { value, codes, cache } = await ask()
    expect(value.guidance.afd.body).toBe('afd body')
    expect([codes, cache]).toEqual([expect.arrayContaining(['text_incomplete:guidance']), 'no-store'])
    expect(JSON.stringify(value.meta.warnings)).toContain('AFD of KBOU')
    await put('afd', { wmoAt: Date.now(), issuedAt: Date.now(), body: 'later' })
    expect((await ask()).cache).toBe('max-age=60')
  })

  test('degrades all answers after a rejected MCD', async () => {
    await confirm()
    await put('afd')
    await refuse('text/swo-mcd', 'KWNS')
    expect((await ask('guidance', '39.74', '-104.99')).cache).toBe('no-store')
    expect((await ask('discussions')).codes).toContain('text_incomplete:discussions')
  })

  test('keeps stored texts with a warning while a list fails', async () => {
    await confirm()
    await put('afd')
    await put('mcd', mcd(7, HOUR), 'text/swo-mcd')
    await markFailed(database, 'text/swo-mcd', 'refused')
    const { value, codes, cache } = await ask()
    expect([value.guidance.active_mcds, value.guidance.afd.body]).toEqual([1, 'afd body'])
    expect([codes, cache]).toEqual([expect.arrayContaining(['stale_source:guidance']), 'no-store'])
  })

  test('leaves out MCDs after 15 minutes without a successful read', async () => {
    await confirm()
    await put('afd')
    await database.query(
      `update feed_state set confirmed_at = clock_timestamp() - interval '16 minutes' where feed = 'text/swo-mcd'`,
    )
    const { value, codes } = await ask('guidance,discussions')
    expect([value.guidance, value.discussions]).toEqual([undefined, undefined])
    expect(codes).toContain('stale_source:guidance')
  })
})

test('notifies listeners of the cells where a discussion begins, and of all cells when doubts change', async () => {
  const changes: (readonly string[] | undefined)[] = []
  watch.onChange((cells) => changes.push(cells))
  await confirm()
  await watch.read()
  expect(changes).toEqual([undefined])
  await put('mcd', mcd(7, HOUR), 'text/swo-mcd')
  await watch.read()
  expect(changes[1]?.length).toBeGreaterThan(3)
  await put('afd')
  await watch.read()
  expect(changes).toHaveLength(2)
})
