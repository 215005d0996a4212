import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { type MirrorObject, nameTag } from '../../infra/simulator/source.ts'
import { type TextList, textListName, textLists } from '../../ingest/domain/text/product.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { sweepTexts } from '../../ingest/steps/feeds/texts.ts'
import { currentTexts, textHistory } from '../../sql/queries/texts.ts'

interface Listed {
  readonly id: string
  readonly office: string
  readonly awips: string
  /** Minutes before now. */
  readonly ago: number
  readonly bbb?: string
  readonly title?: string
  /** Text of its only section; if absent, the item answers 404. */
  readonly words?: string
}

const folder = mkdtempSync(join(tmpdir(), 'text-issues-'))
const now = Math.floor(Date.now() / MINUTE) * MINUTE
let listed: Listed[] = []
let database: Database
let mirror: Mirror
let upstream: Upstream

const listedTime = (at: number) => new Date(at).toISOString().replace('.000Z', '+00:00')
const ddhhmm = (at: number) => new Date(at).toISOString().slice(8, 16).replace(/[T:]/g, '')

function textOf({ awips, office, ago, bbb, title, words }: Listed): string {
  const at = now - ago * MINUTE
  const zones = awips.startsWith('HWO') ? `WYZ101-102-${ddhhmm(now + 8 * HOUR)}-\n` : ''
  const section = awips.startsWith('HWO') ? 'DAY ONE' : 'DISCUSSION'
  return `\n000\nFXUS65 ${office} ${ddhhmm(at)}${bbb ? ` ${bbb}` : ''}\n${awips}\n\n${title ?? 'Outlook'}\n${listedTime(at).slice(11, 16).replace(':', '')} UTC ${new Date(at).toUTCString().slice(0, 3)} ${new Date(at).toUTCString().slice(8, 11)} ${new Date(at).getUTCDate()} ${new Date(at).getUTCFullYear()}\n\n${zones}\n.${section}...\n\n${words}\n\n$$\n`
}

function find(path: string): MirrorObject | undefined {
  const json = (value: object) => {
    const text = JSON.stringify(value)
    return {
      etag: nameTag(text),
      lastModified: now,
      type: 'application/ld+json',
      body: () => new TextEncoder().encode(text),
    }
  }
  const type = /^\/products\/types\/([A-Z]{3})/.exec(path)?.[1]
  if (type !== undefined) {
    return json({
      '@graph': listed
        .filter(({ awips }) => awips.startsWith(type))
        .map(({ id, office, ago }) => ({ id, issuingOffice: office, issuanceTime: listedTime(now - ago * MINUTE) })),
    })
  }
  const item = listed.find(({ id }) => path === `/products/${id}`)
  return item?.words === undefined ? undefined : json({ productText: textOf(item) })
}

beforeAll(async () => {
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  mirror = await startMirror({ sources: [{ host: 'api.weather.gov', find }], now: () => Date.now() })
  upstream = openUpstream({ mirror: mirror.url })
}, 60_000)
beforeEach(async () => {
  await database.query('truncate text_item, text_product, feed_state, outbox cascade')
})
afterAll(async () => {
  await upstream.close()
  await mirror.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const lists = (name: string): TextList[] => textLists.filter((list) => textListName(list) === name)
const sweep = (name: string, budgetMs?: number) => sweepTexts({ database, upstream }, lists(name), budgetMs)
const current = async () =>
  Object.fromEntries(
    (await currentTexts(database)).rows.map(({ record }) => [record.awips, record.sections]),
  ) as Record<string, Record<string, string>>
const requested = () => mirror.log.filter((line) => /\/products\/item-/.test(line)).length

const afd = (id: string, ago: number, words: string | undefined, more: Partial<Listed> = {}): Listed => ({
  ...{ id: `item-${id}`, office: 'KRIW', awips: 'AFDRIW', ago, ...more },
  ...(words !== undefined && { words }),
})

describe('two issues in the same minute', () => {
  // The list has neither BBB nor title, and ids have no order.
  const kinds: [string, Partial<Listed>][] = [
    ['BBB', { bbb: 'CCA' }],
    ['COR', { bbb: 'COR' }],
    ['an amendment', { bbb: 'AAA' }],
    ['the title alone', { title: 'Area Forecast Discussion...CORRECTED' }],
    ['the title alone, short', { title: 'AREA FORECAST DISCUSSION...COR' }],
  ]
  it.each(kinds)('show the correction by %s at a first start, whichever is listed first', async (_, more) => {
    for (const [first, second] of [
      ['aaaa0001', 'bbbb0002'],
      ['bbbb0002', 'aaaa0001'],
    ] as const) {
      await database.query('truncate text_item, text_product, feed_state, outbox cascade')
      listed = [afd(first, 30, 'Dry.'), afd(second, 30, 'Snow.', more), afd('cccc0003', 300, 'Old.')]
      expect(await sweep('text/afd')).toMatchObject({ rejected: {}, unfinished: [] })
      expect(await current()).toEqual({ AFDRIW: { discussion: 'Snow.' } })
    }
  })

  it('show a correction that is listed after the first issue was read', async () => {
    for (const id of ['aaaa0001', 'zzzz0001']) {
      await database.query('truncate text_item, text_product, feed_state, outbox cascade')
      listed = [afd('mmmm0001', 30, 'Dry.')]
      await sweep('text/afd')
      listed.push(afd(id, 30, 'Snow.', { bbb: 'CCA' }))
      await sweep('text/afd')
      expect(await current()).toEqual({ AFDRIW: { discussion: 'Snow.' } })
    }
  })
})

describe('a first start', () => {
  const outlook = (id: string, ago: number, awips: string, words: string) => afd(id, ago, words, { awips })

  it('reads older current issues of other products of the office', async () => {
    listed = [
      outlook('aaaa0001', 20, 'HWORIW', 'Snow.'),
      outlook('aaaa0002', 200, 'HWOCPR', 'Wind.'),
      outlook('aaaa0003', 260, 'HWORIW', 'Older.'),
      outlook('aaaa0004', 300, 'HWOCOD', 'Fog.'),
      outlook('aaaa0005', 3000, 'HWOJAC', 'Long over.'),
    ]
    const before = requested()
    expect(await sweep('text/hwo')).toMatchObject({ rejected: {}, unfinished: [] })
    expect(await current()).toEqual({
      HWORIW: { day_one: 'Snow.' },
      HWOCPR: { day_one: 'Wind.' },
      HWOCOD: { day_one: 'Fog.' },
    })
    expect((await textHistory(database, { kind: 'hwo', limit: 5 })).length).toBe(4)
    expect(requested() - before).toBe(4)
    // The list was read before, so its validators are sent.
    expect((await sweep('text/hwo')).requests).toBe(1)
    expect(requested() - before).toBe(4)
  })

  it('reads the newest issue of each office in every list before older issues', async () => {
    listed = Array.from({ length: 40 }, (_, i) =>
      afd(`number${String(i).padStart(2, '0')}`, i, `Text ${i}.`, {
        office: i % 2 ? 'KRIW' : 'KCYS',
        awips: i % 4 < 2 ? 'AFDRIW' : 'HWORIW',
      }),
    )
    mirror.log.length = 0
    const { unfinished } = await sweepTexts({ database, upstream }, [...lists('text/afd'), ...lists('text/hwo')])
    expect(unfinished).toEqual([])
    const read = mirror.log.flatMap((line) => /item-number(\d\d)/.exec(line)?.[1] ?? [])
    expect([read.length, read.slice(0, 4).sort()]).toEqual([40, ['00', '01', '02', '03']])
    expect((await currentTexts(database)).rows.map(({ record }) => record.issuedAt)).toHaveLength(4)
  })

  it('keeps the list when it ends before older issues are read, and continues in the next sweep', async () => {
    listed = [afd('aaaa0001', 10, 'Snow.'), afd('aaaa0002', 90, 'Wind.', { awips: 'AFDCPR' })]
    await sweep('text/afd', 60_000)
    // State as after a sweep that ended after the newest item.
    await database.query(`delete from text_product where awips = 'AFDCPR'`)
    await database.query(`delete from text_item where id = 'item-aaaa0002'`)
    await database.query('update feed_state set etag = null, last_modified = null, digest = null')
    await sweep('text/afd')
    expect(Object.keys(await current()).sort()).toEqual(['AFDCPR', 'AFDRIW'])
  })

  it('reads the issue before an unreadable issue, and an older issue that upstream did not return at first', async () => {
    listed = [afd('aaaa0001', 10, undefined), afd('aaaa0002', 40, 'Dry.'), outlookLater()]
    await sweep('text/afd')
    expect(Object.keys(await current())).toEqual(['AFDRIW'])
    listed = listed.map((item) => ({ ...item, words: item.words ?? 'Snow.' }))
    await sweep('text/afd')
    expect(await current()).toEqual({ AFDRIW: { discussion: 'Snow.' }, AFDCPR: { discussion: 'Snow.' } })
    function outlookLater(): Listed {
      return afd('aaaa0003', 90, undefined, { awips: 'AFDCPR' })
    }
  })
})
