import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { scratchDatabase } from '../../ingest/ports/database/scratch.ts'

/** The tables before the migration. */
const before = `
  drop table run_revision;
  alter table pointer drop column revision cascade;
  alter table run drop column revision cascade;
  select keep_versions('pointer');
  select keep_versions('run', 'reason', 'wanted', 'got', 'missing', 'claimed_at', 'ended_at')`

test('gives stored runs and pointers revision 0, and keeps the versions that answers with as_of read', {
  timeout: 180_000,
}, async () => {
  const { source, close } = await scratchDatabase()
  const session = await source.acquire()
  const values = async (text: string) => (await session.run(text)).rows.map((row) => Object.values(row).join(' '))
  const past = `${(await values('select current_schema()'))[0]}_past`
  const first = await readFile(new URL('../../sql/migrations/001-runs.sql', import.meta.url), 'utf8')
  const forward = first.slice(first.indexOf('create function pointer_forward'), first.indexOf('create trigger pointer'))
  await session.run(forward.replace('create function', 'create or replace function'))
  await session.run(before)
  await session.run(
    `insert into run (dataset, run, state, manifest_key, manifest) values ('nbm', '2026-11-27 06:00Z', 'published', 'a', '{"leads":[1]}')`,
  )
  await session.run(
    `insert into pointer (dataset, run, stage, manifest_key) values ('nbm', '2026-11-27 06:00Z', 0, 'a')`,
  )
  await session.run(`insert into served_state (source, since, snapshot) values ('runs', now(), pg_current_snapshot())`)
  const [snapshot] = await values('select snapshot from served_state')
  await session.run(`update pointer set stage = 1, manifest_key = 'b'`)
  await session.run(`update run set manifest_key = 'b'`)
  const former = await values(`select * from ${past}.ended_pointer`)
  expect(former).toHaveLength(1)

  const name = new URL('../../sql/migrations/340-revisions.sql', import.meta.url)
  await session.run(`begin; ${await readFile(name, 'utf8')}; commit`)
  expect(await values('select manifest_key, revision from pointer')).toEqual(['b 0'])
  expect(await values('select manifest_key, revision from run')).toEqual(['b 0'])
  expect(await values('select source from served_state')).toEqual(['runs'])
  // The state of the snapshot is read as before, and the next change becomes a version too.
  await session.run(`select set_config('hexcast.snapshot', '${snapshot}', false)`)
  expect(await values(`select manifest_key, stage, revision from ${past}.pointer`)).toEqual(['a 0 0'])
  expect(await values(`select manifest_key, manifest -> 'leads', revision from ${past}.run`)).toEqual(['a 1 0'])
  await session.run(`update pointer set revision = 1, manifest_key = 'c'`)
  expect(await values(`select manifest_key, revision from ${past}.ended_pointer order by 1`)).toEqual(['a 0', 'b 0'])
  await expect(session.run(`update pointer set revision = 0`)).rejects.toMatchObject({ code: 'HX001' })
  session.release()
  await close()
})
