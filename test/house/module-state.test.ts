import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

/**
 * The module-level state that api/ and the domain may have, with reasons. All other state belongs to objects that are created at start and passed on,
 * so that two servers in one process do not share it.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'a constant that is read or computed at its first use': [
    'api/live/texts.ts publicZones',
    'api/mcp/server/widget.ts page',
    'api/picture/map-draw.ts base',
    'api/routes/ogc/locations.ts listed',
    'ingest/domain/cell.ts loaded',
    'ingest/domain/sky/ephemeris.ts tables',
  ],
  'turns of the event loop, of which a process has one': [
    'ingest/domain/pacer.ts turnBegan',
    'ingest/domain/pacer.ts waiting',
  ],
  'the result of a pure function, by immutable input': [
    'api/answer/latest-valid.ts latest',
    'api/answer/catalog-order.ts catalogRanks',
    'api/answer/weather.ts sortedText',
    'api/http/encoding.ts remembered',
    'api/keys/plan.ts policies',
    'api/keys/plan.ts shares',
    'api/live/alerts.ts jsonByAlert',
    'api/mcp/protocol/check.ts inputs',
    'api/mcp/words/reply.ts clocks',
    'api/query/query.ts defaults',
    'api/query/query.ts sets',
    'api/sections/narrative.ts sentenceCased',
    'api/sections/narrative.ts phrases',
    'ingest/domain/weather/conditions.ts known',
    'ingest/domain/day-window.ts latestWindows',
    'ingest/domain/sky/sky.ts sunNow',
    'ingest/domain/time.ts dates',
    'ingest/domain/timezone.ts zones',
  ],
  'a table that is filled while modules load': [
    'api/blend/incompleteness.ts firsts',
    'api/blend/run-values.ts numberedDatasets',
  ],
  'what is under way, by the database of a server': ['api/dataset/shared-query.ts runningQueries'],
  'scratch memory of one synchronous function': [
    'api/sections/summarize.ts amounts',
    'api/sections/summarize.ts weights',
    'api/sections/day-periods.ts lastPeriodEnd',
  ],
  'a thread, and the state of a thread': ['api/picture/painter.ts pool', 'api/picture/radar-thread.ts motions'],
}

const collection =
  /^(?:export )?const (\w+)[^=\n]*= (?:new (?:\w*Map|\w*Set|LRUCache|Array|\w+Array)\b|\[\]|\{\}|Object\.create)/gm

/** Returns the names that a file declares at its top level and assigns or changes later. */
function stateOf(text: string): string[] {
  const variables = Array.from(text.matchAll(/^(?:export )?(?:let|var) (\w+)/gm), ([, name]) => name!)
  const collections = Array.from(text.matchAll(collection), ([, name]) => name!).filter((name) =>
    new RegExp(
      `\\b${name}(?:\\.(?:set|add|push|unshift|splice|delete|clear|fill|sort|pop|shift)\\(|\\[[^\\]]*\\] [-+*/?|&]*=[^=])`,
    ).test(text),
  )
  return [...variables, ...collections]
}

test('api/ and ingest/domain/ have only the module-level state that is listed with a reason', () => {
  const state = sourceFiles()
    .filter(
      (file) => /^(?:api|ingest\/domain)\//.test(file) && !file.includes('.generated.') && !file.includes('/assembly/'),
    )
    .flatMap((file) => stateOf(readFileSync(file, 'utf8')).map((name) => `${file} ${name}`))
  expect(state.sort()).toEqual(Object.values(allowed).flat().sort())
})

test('the rule finds variables, maps and arrays that change, and no constants', () => {
  expect(stateOf('let count = 0\nexport const seen = new Set<string>()\nfunction f() {\n  seen.add("a")\n}')).toEqual([
    'count',
    'seen',
  ])
  expect(stateOf('const list: string[] = []\nfunction f(i: number) {\n  list[i] = "a"\n}')).toEqual(['list'])
  expect(stateOf('const known: ReadonlySet<string> = new Set(["a"])\nexport const f = () => known.has("a")')).toEqual(
    [],
  )
})
