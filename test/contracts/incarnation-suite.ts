import { describe, expect, test } from 'vitest'
import type { Database } from '../../ingest/ports/database.ts'
import { beginIncarnation, incarnationOf } from '../../sql/queries/incarnation.ts'
import { addToOutbox, unsentMessages } from '../../sql/queries/outbox.ts'

/** The incarnation of a database. @param other opens another new database */
export function incarnationSuite(place: () => { readonly db: Database; readonly other: Database }): void {
  describe('incarnation', () => {
    test('is random for each new database, and stays until the database is restored', async () => {
      const { db, other } = place()
      const first = await incarnationOf(db)
      expect(first).toEqual({ id: expect.stringMatching(/^[0-9a-f]{8}$/), isRestored: false })
      expect((await incarnationOf(other)).id).not.toBe(first.id)
      expect(await incarnationOf(db)).toEqual(first)
      const id = await beginIncarnation(db)
      expect(await incarnationOf(db)).toEqual({ id, isRestored: true })
      expect(id).not.toBe(first.id)
    })

    test('is another one when the server has another history, as after a recovery to a point in time', async () => {
      const { db } = place()
      const { id } = await incarnationOf(db)
      const [row] = await db.query<{ history: string | null }>('select history from incarnation')
      await db.query(`update incarnation set history = '1/00000001'`)
      const restored = await incarnationOf(db)
      // Where the server does not tell its history, the id stays.
      if (row?.history == null) expect(restored.id).toBe(id)
      else expect(restored).toEqual({ id: expect.not.stringMatching(id), isRestored: true })
      expect(await incarnationOf(db)).toEqual(restored)
    })

    test('is read with the messages of the outbox', async () => {
      const { db } = place()
      const payload = { dataset: 'hrrr', run: '2026-08-20T12:00:00.000Z', at: '2026-08-20T13:00:00.000Z' }
      await db.transaction((tx) => addToOutbox(tx, [{ topic: 'hexcast.runs.v1', key: 'hrrr', payload }]))
      const { id } = await incarnationOf(db)
      expect(await unsentMessages(db, 1)).toMatchObject([{ incarnation: id }])
    })
  })
}
