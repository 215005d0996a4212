import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parsers } from '../../ingest/ports/database/database-worker.ts'
import { runStatement } from '../../ingest/ports/database/statements.ts'
import type { Parameter } from '../../sql/session.ts'

let pg: PGlite

beforeAll(async () => {
  pg = await PGlite.create({ parsers })
  await runStatement(pg, 'create table item (id int primary key, name text, at timestamptz)')
}, 120_000)

afterAll(() => pg.close())

/** Runs a statement twice, with the same result. */
async function twice(text: string, parameters?: readonly Parameter[]) {
  const results = []
  for (let i = 0; i < 2; i++) results.push(await runStatement(pg, text, parameters))
  expect(results[1]).toEqual(results[0])
  return results[0]
}

test('returns values of all types as the library does', async () => {
  const text = `select $1::int as i, $2::bigint as big, $3::numeric as n, $4::text as t, $5::bool as b, $6::bool as f, $7::timestamptz as at,
    $8::date as day, $9::bytea as bytes, $10::text[] as list, $11::int[] as numbers, $12::jsonb as json, $13::text as none, $14::float8 as x,
    'a'::name as name, '00000000-0000-4000-a000-000000000000'::uuid as uuid`
  const list = ['a "b" \\', '{x,y}', null, '', 'ä € 🌩']
  const date = new Date(Date.UTC(2026, 1, 3, 4, 5, 6, 789))
  const parameters: Parameter[] = [
    -5,
    12345678901n,
    '1.25',
    'ä € 🌩',
    true,
    false,
    date,
    '2026-02-03',
    new Uint8Array([0, 1, 255]),
    list,
    [1, 2, 3],
    JSON.stringify({ a: [1, null] }),
    null,
    0.1,
  ]
  const result = await twice(text, parameters)
  const { rows } = await pg.query(text, [
    ...parameters.slice(0, 8),
    new Uint8Array([0, 1, 255]),
    ...parameters.slice(9),
  ])
  expect(result?.rows).toEqual(rows)
  expect(result?.rows[0]).toMatchObject({
    i: -5,
    big: 12345678901,
    t: 'ä € 🌩',
    b: true,
    f: false,
    at: date,
    none: null,
  })
})

test('writes an object as JSON', async () => {
  expect((await twice('select $1::jsonb as json', [{ a: [1, null] } as never]))?.rows).toEqual([
    { json: { a: [1, null] } },
  ])
})

test('counts affected rows, and returns the last result of several statements', async () => {
  const insert = 'insert into item values ($1, $2) on conflict (id) do update set name = excluded.name'
  expect(await twice(insert, [1, 'one'])).toEqual({ rows: [], affected: 1 })
  expect(await runStatement(pg, "insert into item values (2, 'two'); update item set name = 'x'")).toMatchObject({
    affected: 2,
  })
  expect(await runStatement(pg, 'select 1 as a; select 2 as b')).toEqual({ rows: [{ b: 2 }], affected: 0 })
  expect(await twice('select name from item where id = $1', [9])).toEqual({ rows: [], affected: 0 })
  expect(await twice('select count(*) as n from item')).toEqual({ rows: [{ n: 2 }], affected: 0 })
  expect(await twice("update item set name = 'y;z'")).toEqual({ rows: [], affected: 2 })
})

test('throws the error of PostgreSQL, and runs the next statement', async () => {
  for (let i = 0; i < 3; i++)
    await expect(runStatement(pg, 'select 1 / $1::int as n', [0])).rejects.toMatchObject({
      message: 'division by zero',
      code: '22012',
    })
  expect((await runStatement(pg, 'select 1 / $1::int as n', [1])).rows).toEqual([{ n: 1 }])
  await expect(runStatement(pg, 'select nothing')).rejects.toMatchObject({ code: '42703' })
})

test('rolls back a transaction in which a statement failed', async () => {
  const insert = 'insert into item (id, name) values ($1, $2)'
  await runStatement(pg, insert, [20, 'a'])
  await runStatement(pg, insert, [21, 'b'])
  await runStatement(pg, 'begin')
  await runStatement(pg, insert, [22, 'c'])
  await expect(runStatement(pg, insert, [20, 'again'])).rejects.toMatchObject({
    code: '23505',
    constraint: 'item_pkey',
  })
  await expect(runStatement(pg, insert, [23, 'd'])).rejects.toMatchObject({ code: '25P02' })
  await runStatement(pg, 'rollback')
  await runStatement(pg, insert, [24, 'e'])
  const { rows } = await runStatement(pg, 'select id from item where id >= $1 order by id', [20])
  expect(rows.map(({ id }) => id)).toEqual([20, 21, 24])
})

test('reads the new columns of a table after its definition changes', async () => {
  const select = 'select * from item where id = $1'
  await twice(select, [1])
  await runStatement(pg, 'alter table item add column size int default 7')
  expect((await twice(select, [1]))?.rows[0]).toMatchObject({ id: 1, size: 7 })
})
