import { expect, test, vi } from 'vitest'
import { outcomeText } from '../../bin/backfill.ts'
import { runVerb } from '../../bin/command-line.ts'
import { verbs } from '../../bin/verbs/workers.ts'

async function run(name: string, ...words: string[]): Promise<{ status: number; printed: string }> {
  const lines: unknown[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
  try {
    const verb = verbs.find((candidate) => candidate.name === name)
    if (!verb) throw new Error(`there is no verb ${name}`)
    return { status: await runVerb(verb, words), printed: lines.join('\n') }
  } finally {
    spy.mockRestore()
  }
}

test.each([
  ['backfill', ['--again'], /expected DATASET RUN…/],
  ['backfill', ['--again', 'nbm'], /expected DATASET RUN…/],
  ['backfill', ['--again', 'nbm', '2026-08-20T12Z', 'yesterday'], /"nbm 2026-08-20T12Z yesterday" is not valid/],
  ['backfill', ['--again', 'mrms-qpe-1h', '2026-08-20T12Z'], /expected DATASET RUN…/],
  ['backfill', ['nbm', '2026-08-20T12Z', '2026-08-20T13Z', '2026-08-20T14Z'], /expected DATASET FROM TO/],
  ['rollback', ['nbm', 'conus'], /expected DATASET DOMAIN RUN/],
  ['rollback', ['nbm', 'guam', '2026-08-20T12Z'], /"guam" is not a domain of nbm/],
] as const)('hexcast %s refuses %j', async (name, words, message) => {
  expect(await run(name, ...words)).toEqual({ status: 2, printed: expect.stringMatching(message) })
})

test('says what a republished run changed', () => {
  const published = {
    domain: 'conus',
    outcome: { state: 'published', reasons: [] },
    before: 0,
    revision: 1,
    tiles: 12,
  } as const
  expect(outcomeText({ ...published, same: 12 })).toEqual({
    isPublished: true,
    text: 'revision 1 is served; nothing changed: all 12 tiles are byte-identical to those of revision 0',
  })
  expect(outcomeText({ ...published, same: 3 }).text).toBe(
    'revision 1 is served; 9 of 12 tiles changed since revision 0',
  )
  const superseded = { ...published, outcome: { state: 'superseded', reasons: [] }, same: 3 } as const
  expect(outcomeText(superseded).text).toMatch(/^stored as revision 1; a newer run is served; 9 of 12/)
})

test('says why a run was not republished', () => {
  const rejected = {
    domain: 'conus',
    outcome: { state: 'rejected', reasons: ['hours 3 are gone'] },
    before: 2,
    revision: 2,
  } as const
  expect(outcomeText(rejected)).toEqual({
    isPublished: false,
    text: 'rejected, and revision 2 stays: hours 3 are gone',
  })
  const already = { ...rejected, outcome: { state: 'already', reasons: [] } } as const
  expect(outcomeText(already).text).toMatch(/another process published a stage of it meanwhile. Run the command again/)
})
