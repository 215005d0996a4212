import { beforeAll, describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import type { TextIssue } from '../../ingest/domain/text/product.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import {
  currentTexts,
  endTexts,
  forgetUnlisted,
  knownItems,
  pruneTexts,
  putIssues,
  putItem,
  rejectedItems,
  type TextOutcome,
  textHistory,
} from '../../sql/queries/texts.ts'

/** Stored texts, on every engine of the database. */
export function textSuite(open: () => Promise<Database>): void {
  let db: Database
  beforeAll(async () => {
    db = await open()
  })

  let serial = 0
  let version = 0

  /** An issue relative to now, in hours. */
  function issueAt(hours: number, over: Partial<TextIssue> = {}): TextIssue {
    const at = Math.floor(Date.now() / 60_000) * 60_000 + hours * HOUR
    return {
      kind: 'afd',
      awips: 'AFDBOX',
      office: 'KBOX',
      subject: 'afd AFDBOX KBOX',
      wmoAt: at,
      issuedAt: at,
      currentUntil: at + 24 * HOUR,
      sections: {},
      body: `body of ${hours}`,
      ...over,
    }
  }

  async function put(issue: TextIssue, list = 'text/afd', outcome: TextOutcome = 'read') {
    const id = `item-${String(++serial).padStart(8, '0')}`
    const stored = await db.transaction(async (tx) => {
      await putItem(tx, { id, list, office: issue.office, issuedAt: new Date(issue.wmoAt), outcome })
      return outcome === 'read' ? putIssues(tx, id, [issue], ++version) : []
    })
    return { id, stored: stored[0] }
  }

  const bodies = (rows: readonly { record: TextIssue }[]) => rows.map(({ record }) => record.body)

  describe('the newest issue of a subject', () => {
    const subject = 'afd AFDNEW KNEW'
    const issue = (hours: number, over: Partial<TextIssue> = {}) =>
      issueAt(hours, { subject, office: 'KNEW', awips: 'AFDNEW', ...over })

    test('is that of the latest WMO time, then of BBB, in any order of arrival', async () => {
      expect((await put(issue(-3))).stored).toMatchObject({ newest: true, current: true })
      expect((await put(issue(-2, { body: 'plain' }))).stored).toMatchObject({ newest: true })
      expect((await put(issue(-4))).stored).toMatchObject({ newest: false })
      expect((await put(issue(-2, { bbb: 'CCA', body: 'corrected' }))).stored).toMatchObject({ newest: true })
      expect((await put(issue(-2, { bbb: 'AAA', body: 'amended' }))).stored).toMatchObject({ newest: false })
      const { rows } = await currentTexts(db)
      expect(bodies(rows.filter(({ record }) => record.subject === subject))).toEqual(['corrected'])
    })

    test('gives a returning reader only changes', async () => {
      const before = version
      await put(issue(-1, { body: 'later' }))
      expect(bodies((await currentTexts(db, before)).rows)).toEqual(['later'])
      expect((await currentTexts(db, version)).rows).toEqual([])
    })

    test('does not change when the same item is read again', async () => {
      const first = issue(-0.5)
      const { id } = await put(first)
      const again = await db.transaction((tx) => putIssues(tx, id, [first], ++version))
      expect(again).toEqual([])
      expect(await db.query('select count(*) as n from text_product where item = $1', [id])).toEqual([{ n: 1 }])
    })

    test('lists the history of an office newest first', async () => {
      const rows = await textHistory(db, { kind: 'afd', wfo: 'NEW', limit: 3 })
      expect([rows.length, nth(rows, 0).current, nth(rows, 1).current]).toEqual([3, true, false])
      expect(rows.map(({ record }) => -record.wmoAt)).toEqual(
        rows.map(({ record }) => -record.wmoAt).sort((a, b) => a - b),
      )
      expect(await textHistory(db, { kind: 'afd', wfo: 'XXX', limit: 3 })).toEqual([])
    })
  })

  describe('mesoscale discussions', () => {
    const mcd = (number: number, until: number, west: number) =>
      issueAt(-1, {
        kind: 'mcd',
        awips: 'SWOMCD',
        office: 'KWNS',
        subject: `mcd 2026 ${number}`,
        currentUntil: Date.now() + until * HOUR,
        expiresAt: Date.now() + until * HOUR,
        body: `mcd ${number}`,
        mesoscale: {
          number,
          validFrom: Date.now() - HOUR,
          attention: ['BOU', 'PUB'],
          ring: [
            [west, 39],
            [west + 2, 39],
            [west + 1, 41],
            [west, 39],
          ],
        },
      })

    test('are found by polygon or by office in ATTN, if they are in effect', async () => {
      await put(mcd(1, 1, -106), 'text/swo-mcd')
      await put(mcd(2, 1, -105.5), 'text/swo-mcd')
      await put(mcd(3, -0.1, -106), 'text/swo-mcd')
      // This polygon crosses itself, as a forecaster's polygon sometimes does.
      const crossing = mcd(4, 1, -90)
      await put(
        {
          ...crossing,
          mesoscale: {
            ...crossing.mesoscale!,
            ring: [
              [-90, 39],
              [-88, 41],
              [-88, 39],
              [-90, 41],
              [-90, 39],
            ],
          },
        },
        'text/swo-mcd',
      )
      const at = async (lon: number, lat: number) =>
        bodies(await textHistory(db, { kind: 'mcd', point: { lat, lon }, limit: 5 })).sort()
      expect(await at(-105, 40)).toEqual(['mcd 1', 'mcd 2'])
      expect(await at(-105.9, 39.05)).toEqual(['mcd 1'])
      expect(await at(-88.1, 40)).toEqual(['mcd 4'])
      expect(await at(-89, 39.1)).toEqual([])
      expect(await textHistory(db, { kind: 'mcd', wfo: 'BOU', limit: 2 })).toHaveLength(2)
      expect(await textHistory(db, { kind: 'mcd', wfo: 'OKX', limit: 2 })).toEqual([])
    })
  })

  test('announces an end once by the clock of the database, and never if it was stored too late', async () => {
    // It must end after it is stored, which takes a second under load.
    const ending = issueAt(-1, { subject: 'now NOWBOX KBOX', kind: 'now', currentUntil: Date.now() + 3000 })
    const { id } = await put(ending, 'text/now')
    await put(issueAt(-9, { subject: 'now NOWOLD KOLD', kind: 'now', currentUntil: Date.now() - HOUR }), 'text/now')
    const none = await db.transaction((tx) => endTexts(tx, ++version))
    expect(none.map((row) => row.id)).not.toContain(id)
    await expect
      .poll(async () => (await db.transaction((tx) => endTexts(tx, ++version))).map(({ subject }) => subject), {
        interval: 100,
        timeout: 15_000,
      })
      .toEqual(['now NOWBOX KBOX'])
    expect(await db.transaction((tx) => endTexts(tx, ++version))).toEqual([])
  })

  describe('rejected items', () => {
    test('are counted, retried, and forgotten when the list no longer names them', async () => {
      const { id } = await put(issueAt(-1, { office: 'KREF' }), 'text/hwo', 'rejected')
      expect(await knownItems(db, [id, 'never-seen'])).toEqual(new Map([[id, 'rejected']]))
      const again = {
        id,
        list: 'text/hwo',
        office: 'KREF',
        issuedAt: new Date(),
        reason: 'cut',
        detail: 'x'.repeat(999),
      }
      await putItem(db, { ...again, outcome: 'rejected' })
      expect(await rejectedItems(db)).toMatchObject([
        { list: 'text/hwo', office: 'KREF', reason: 'cut', read_at: null },
      ])
      expect(await db.query('select tries, length(detail) as n from text_item where id = $1', [id])).toEqual([
        { tries: 2, n: 300 },
      ])
      expect(await forgetUnlisted(db, 'text/hwo', [id])).toBe(0)
      expect(await forgetUnlisted(db, 'text/hwo', [])).toBe(1)
      expect(await rejectedItems(db)).toEqual([])
    })

    test('are read once they can be read, and stay read', async () => {
      const { id } = await put(issueAt(-1, { office: 'KREF' }), 'text/hwo', 'rejected')
      const item = { id, list: 'text/hwo', office: 'KREF', issuedAt: new Date() }
      await putItem(db, { ...item, outcome: 'read' })
      await putItem(db, { ...item, outcome: 'rejected', reason: 'cut' })
      expect(await knownItems(db, [id])).toEqual(new Map([[id, 'read']]))
    })
  })

  test('removes texts older than the history and keeps current texts', async () => {
    const old = await put(issueAt(-10 * 24, { subject: 'afd AFDOLD KOLD' }))
    const long = await put(
      issueAt(-9 * 24, { subject: 'swo 4', kind: 'swo', currentUntil: Date.now() + HOUR }),
      'text/swo-d48',
    )
    expect(await pruneTexts(db)).toBe(1)
    expect((await knownItems(db, [old.id, long.id])).size).toBe(1)
  })
}
