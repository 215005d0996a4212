import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { scratchDatabase } from '../../ingest/ports/database/scratch.ts'

/** The names before the migration. */
const before = `
  alter table run drop constraint run_state_check;
  alter table text_item drop constraint text_item_outcome_check;
  alter table climate_text rename column rejected to refused;
  alter table rejected_entry rename constraint rejected_entry_pkey to alert_kept_aside_pkey;
  alter table rejected_entry rename to alert_kept_aside;
  alter table run add constraint run_state_check check (state in ('claimed', 'published', 'failed', 'gone', 'retired'));
  alter table text_item add constraint text_item_outcome_check check (outcome in ('read', 'ignored', 'refused'));
  insert into run (dataset, run, state) values ('hrrr', '2026-11-27 06:00Z', 'failed'), ('hrrr', '2026-11-27 07:00Z', 'failed'),
    ('hrrr', '2026-11-27 08:00Z', 'gone');
  insert into text_item (id, list, office, issued_at, outcome) values ('a', 'text/afd', 'KBOX', now(), 'refused'),
    ('b', 'text/afd', 'KBOX', now(), 'read');
  insert into climate_text (id, kind, location, office, issued_at, refused) values ('c', 'CLI', 'BOS', 'KBOX', now(), 'no headline');
  insert into alert_kept_aside (feed, reason, detail) values ('text', 'cut', 'no $$')`

test('converts the words of outcomes in every version without creating new versions', async () => {
  const { source, close } = await scratchDatabase()
  const session = await source.acquire()
  const values = async (text: string) => (await session.run(text)).rows.map((row) => Object.values(row).join(' '))
  await session.run(before)
  await session.run(`update run set state = 'published' where run = '2026-11-27 07:00Z'`)
  const past = `${(await values('select current_schema()'))[0]}_past`
  expect(await values(`select state from ${past}.ended_run`)).toEqual(['failed'])

  const name = new URL('../../sql/migrations/250-outcomes.sql', import.meta.url)
  await session.run(`begin; ${await readFile(name, 'utf8')}; commit`)
  expect(await values('select state from run order by run')).toEqual(['rejected', 'published', 'gone'])
  expect(await values(`select state from ${past}.ended_run`)).toEqual(['rejected'])
  expect(await values('select outcome from text_item order by id')).toEqual(['rejected', 'read'])
  expect(await values(`select count(*) from ${past}.ended_text_item`)).toEqual(['0'])
  expect(await values('select rejected from climate_text')).toEqual(['no headline'])
  expect(await values('select detail from rejected_entry')).toEqual(['no $$'])
  await session.run(`update run set state = 'retired' where run = '2026-11-27 07:00Z'`)
  expect(await values(`select state from ${past}.ended_run order by state`)).toEqual(['published', 'rejected'])
  session.release()
  await close()
})
