import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { entryOf } from '../../ingest/domain/nth.ts'
import { importsOf, kernelFiles, sourceFiles } from './imports.ts'

/** The folders that each folder of the tool server may import in addition to those below it. */
const MCP = [
  'api/answer',
  'api/blend',
  'api/dataset',
  'api/http',
  'api/keys',
  'api/live',
  'api/picture',
  'api/present',
  'api/query',
  'api/sections',
  'api/sign-in',
  'api/contract.ts',
  'api/problem.ts',
  'api/route.ts',
  'ingest/domain',
  'ingest/geo',
  'ingest/tile',
  'ingest/ports',
  'ingest/nowcast',
  'ingest/catalog.ts',
  'ingest/config.ts',
  'sql',
]

/** Files directly in `ingest/domain`, which every folder in it may import. */
const DOMAIN = readdirSync('ingest/domain')
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `ingest/domain/${file}`)

/** What each folder may import in addition to itself; the longest matching path applies. Types count like values. */
const folders: Readonly<Record<string, readonly string[]>> = {
  sql: ['ingest/domain'],
  'ingest/grib2-wasm': [],
  'ingest/domain': [],
  'ingest/domain/shape': DOMAIN,
  'ingest/domain/sky': DOMAIN,
  'ingest/domain/dataset': [...DOMAIN, 'ingest/domain/weather'],
  'ingest/domain/run': [...DOMAIN, 'ingest/domain/dataset'],
  'ingest/domain/weather': [...DOMAIN, 'ingest/domain/shape'],
  'ingest/domain/alert': [...DOMAIN, 'ingest/domain/weather'],
  'ingest/domain/text': [...DOMAIN, 'ingest/domain/shape'],
  'ingest/domain/verification': [...DOMAIN, 'ingest/domain/weather'],
  'ingest/geo': ['ingest/domain'],
  'ingest/nowcast': ['ingest/domain'],
  'ingest/config.ts': ['ingest/domain'],
  'ingest/decode': ['ingest/domain', 'ingest/grib2-wasm'],
  'ingest/ports': ['ingest/domain', 'ingest/config.ts', 'sql'],
  'ingest/tile': ['ingest/domain', 'ingest/ports'],
  'ingest/datasets': ['ingest/domain'],
  'ingest/catalog.ts': ['ingest/domain', 'ingest/datasets'],
  'ingest/steps': [
    'ingest/datasets',
    'ingest/domain',
    'ingest/geo',
    'ingest/decode',
    'ingest/tile',
    'ingest/ports',
    'ingest/nowcast',
    'ingest/grib2-wasm',
    'sql',
  ],
  'ingest/steps/live-check': [
    'ingest/steps',
    'ingest/catalog.ts',
    'ingest/datasets',
    'ingest/decode',
    'ingest/domain',
    'ingest/ports',
    'sql/queries',
  ],
  workers: ['ingest', 'sql'],
  'api/client': [],
  'api/contract.ts': ['ingest/domain', 'ingest/nowcast', 'ingest/tile'],
  'api/problem.ts': ['ingest/domain', 'api/contract.ts'],
  'api/route.ts': ['ingest/domain', 'api/contract.ts', 'api/problem.ts'],
  'api/present': ['api/contract.ts', 'api/problem.ts', 'ingest/domain', 'ingest/tile'],
  'api/query': ['api/present', 'api/contract.ts', 'api/problem.ts', 'api/route.ts', 'ingest/domain', 'ingest/geo'],
  'api/blend': [
    'api/present',
    'api/query',
    'api/contract.ts',
    'ingest/domain',
    'ingest/tile',
    'ingest/nowcast',
    'ingest/catalog.ts',
  ],
  'api/sections': [
    'api/blend',
    'api/present',
    'api/query',
    'api/contract.ts',
    'api/problem.ts',
    'ingest/domain',
    'ingest/geo',
    'ingest/tile',
    'ingest/nowcast',
  ],
  'api/live': [
    'api/contract.ts',
    'ingest/domain',
    'ingest/geo',
    'ingest/tile',
    'ingest/ports',
    'ingest/nowcast',
    'ingest/catalog.ts',
    'sql',
  ],
  'api/answer': [
    'api/live',
    'api/sections',
    'api/blend',
    'api/present',
    'api/query',
    'api/contract.ts',
    'api/problem.ts',
    'ingest/domain',
    'ingest/geo',
    'ingest/tile',
    'ingest/ports',
    'ingest/catalog.ts',
    'sql',
  ],
  'api/dataset': [
    'api/answer',
    'api/live',
    'api/sections',
    'api/blend',
    'api/present',
    'api/query',
    'api/contract.ts',
    'api/problem.ts',
    'ingest/domain',
    'ingest/geo',
    'ingest/tile',
    'ingest/ports',
    'ingest/catalog.ts',
    'sql',
  ],
  'api/picture': [
    'api/live',
    'api/query',
    'api/present',
    'api/contract.ts',
    'api/problem.ts',
    'ingest/domain',
    'ingest/geo',
    'ingest/tile',
    'ingest/nowcast',
    'ingest/catalog.ts',
  ],
  'api/keys': ['api/route.ts', 'api/problem.ts', 'api/contract.ts', 'ingest/domain', 'ingest/ports', 'sql'],
  'api/http': [
    'api/present',
    'api/keys',
    'api/answer',
    'api/live',
    'api/query',
    'api/route.ts',
    'api/problem.ts',
    'api/contract.ts',
    'ingest/domain',
    'ingest/ports',
    'sql',
  ],
  'api/sign-in': [
    'api/query',
    'api/http',
    'api/keys',
    'api/pages',
    'api/route.ts',
    'api/problem.ts',
    'api/contract.ts',
    'ingest/domain',
    'ingest/ports',
    'sql',
  ],
  'api/pages': [
    'api/client',
    'api/http',
    'api/keys',
    'api/answer',
    'api/present',
    'api/query',
    'api/picture',
    'api/route.ts',
    'api/problem.ts',
    'api/contract.ts',
    'ingest/domain',
    'ingest/geo',
    'ingest/ports',
    'ingest/catalog.ts',
    'sql',
  ],
  'api/routes': [
    'api',
    'ingest/domain',
    'ingest/geo',
    'ingest/tile',
    'ingest/ports',
    'ingest/nowcast',
    'ingest/catalog.ts',
    'sql',
  ],
  'api/changes': [
    'api/live',
    'api/query',
    'api/contract.ts',
    'api/problem.ts',
    'api/route.ts',
    'ingest/domain',
    'ingest/geo',
    'ingest/ports',
    'ingest/catalog.ts',
    'sql',
  ],
  'api/webhooks': [
    'api/changes',
    'api/present',
    'api/query',
    'api/route.ts',
    'api/sign-in/client-document.ts',
    'api/contract.ts',
    'api/problem.ts',
    'ingest/domain',
    'ingest/ports',
    'sql',
  ],
  'api/mcp/protocol': MCP,
  'api/mcp/words': [...MCP, 'api/mcp/protocol'],
  'api/mcp/query': [...MCP, 'api/mcp/protocol', 'api/mcp/words'],
  'api/mcp/tools': [...MCP, 'api/mcp/protocol', 'api/mcp/words', 'api/mcp/query'],
  'api/mcp/server': [...MCP, 'api/mcp/protocol', 'api/mcp/words', 'api/mcp/query', 'api/mcp/tools'],
  'api/main.ts': ['api', 'ingest/domain', 'ingest/ports', 'ingest/catalog.ts', 'ingest/config.ts', 'sql'],
  'infra/simulator': ['ingest/domain', 'ingest/geo', 'ingest/datasets', 'ingest/ports/collect.ts'],
  examples: ['api/client', 'ingest/grib2-wasm'],
  bin: ['ingest', 'workers', 'api', 'sql', 'infra/simulator'],
}

/** Imports that are forbidden whatever the table above allows. */
const never: readonly (readonly [string, string])[] = [
  ['api/sections', 'api/live'],
  ['api/live', 'api/http'],
  ['api/mcp', 'api/routes'],
  ['api/routes', 'api/mcp'],
  ['api/picture', 'api/mcp'],
  ['api', 'ingest/steps'],
  ['api', 'ingest/decode'],
  ['ingest', 'workers'],
  ['ingest', 'api'],
  ['workers', 'api'],
]

/** Heavy packages, and the only folders that may import them. */
const importers: Readonly<Record<string, readonly string[]>> = {
  'h3-js': ['ingest/domain/cell.ts', 'ingest/geo/'],
  '@temporalio/worker': ['workers/temporal/'],
  '@temporalio/client': ['workers/temporal/'],
  '@temporalio/workflow': ['workers/temporal/'],
  '@temporalio/activity': ['workers/temporal/'],
  '@temporalio/common': ['workers/temporal/'],
  'pg-boss': ['workers/embedded/'],
  kafkajs: ['ingest/ports/'],
  '@aws-sdk/client-s3': ['ingest/ports/'],
  '@aws-sdk/lib-storage': ['ingest/ports/'],
  '@aws-sdk/client-sqs': ['ingest/ports/'],
  pg: ['ingest/ports/'],
  '@electric-sql/pglite': ['ingest/ports/'],
  express: ['api/'],
  'oidc-provider': ['api/sign-in/'],
  '@modelcontextprotocol/server': ['api/mcp/'],
  '@napi-rs/canvas': ['api/picture/', 'api/mcp/query/'],
  h5wasm: ['ingest/decode/', 'infra/simulator/'],
  'astronomy-engine': ['ingest/domain/'],
}

/** Tells whether a maintainer runs the file by hand, to make packaged data or derived files. */
const script = (file: string) =>
  /\/(make|build|generate|scratch)[-/.]/.test(file) ||
  (file.startsWith('infra/') && !file.startsWith('infra/simulator/'))

const files = sourceFiles().filter(
  (file) =>
    !file.startsWith('test/') && !file.includes('/test/') && !/^[\w.]+\.config\.ts$/.test(file) && !script(file),
)
const named = Object.keys(folders).sort((a, b) => b.length - a.length)
const within = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`)
const folderOf = (file: string) => named.find((folder) => within(file, folder))
const target = (to: string) => (to === 'grib2-wasm' ? 'ingest/grib2-wasm/src/index.ts' : to)

test('each folder imports only the folders below it', () => {
  const wrong: string[] = []
  for (const file of files) {
    const folder = folderOf(file)
    for (const { to: path } of importsOf(file)) {
      const to = target(path)
      if (!/^(api|ingest|workers|sql|infra|bin)\//.test(to)) continue
      const targetFolder = folderOf(to)
      if (folder && targetFolder === folder) continue
      const allowed = folder !== undefined && entryOf(folders, folder).some((path) => within(to, path))
      const forbidden = never.some(([from, target]) => within(file, from) && within(to, target))
      if (!allowed || forbidden) wrong.push(`${file} -> ${to}`)
    }
  }
  expect(wrong).toEqual([])
})

/** The files of `api/sections` that `api/answer` may import: the list of sections, and pure tables and functions. */
const listed = ['index.ts', 'fields.ts', 'day-extremes.ts'].map((file) => `api/sections/${file}`)

test('api/answer imports the list of sections and no single section', () => {
  const wrong = files
    .filter((file) => file.startsWith('api/answer/'))
    .flatMap(importsOf)
    .filter(({ to, typeOnly }) => to.startsWith('api/sections/') && !typeOnly && !listed.includes(to))
  expect(wrong).toEqual([])
})

test('each heavy package is imported from its own folders only', () => {
  const wrong: string[] = []
  for (const file of files) {
    for (const { to } of importsOf(file)) {
      const places = importers[to]
      if (places && !places.some((place) => file.startsWith(place))) wrong.push(`${file} -> ${to}`)
    }
  }
  expect(wrong).toEqual([])
})

test('workflows import types only from activities', () => {
  const wrong = files
    .filter((file) => file.startsWith('workers/workflows/'))
    .flatMap((file) => importsOf(file))
    .filter(
      ({ to, typeOnly }) =>
        (/workers\/activities/.test(to) && !typeOnly) ||
        (!/^(workers\/(workflows|retry|activities)|ingest\/(domain|steps\/grid\/run-loop))/.test(to) && !typeOnly),
    )
  expect(wrong).toEqual([])
})

/** Returns the paths of files that import each other in a circle. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) if (graph.has(next)) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  return circles
}

test('no files import each other in a circle, types included', () => {
  expect(circles(new Map(files.map((file) => [file, importsOf(file).map(({ to }) => to)])))).toEqual([])
})

test('no kernels in AssemblyScript import each other in a circle', () => {
  const kernels = kernelFiles()
  expect(kernels.length).toBeGreaterThan(20)
  expect(circles(new Map(kernels.map((file) => [file, importsOf(file).map(({ to }) => `${to}.ts`)])))).toEqual([])
})

test('no modules of the Python client import each other in a circle', () => {
  const folder = 'api/client/python/hexcast'
  const modules = readdirSync(folder).filter((name) => name.endsWith('.py'))
  const imports = (name: string) =>
    Array.from(
      readFileSync(`${folder}/${name}`, 'utf8').matchAll(/^\s*from \.(\w+) import/gm),
      ([, module]) => `${module}.py`,
    )
  expect(circles(new Map(modules.map((name) => [name, imports(name)])))).toEqual([])
})

test('api has only the four files of its layout beside its folders', () => {
  const loose = files.filter((file) => /^api\/[^/]+$/.test(file))
  expect(loose.sort()).toEqual(['api/contract.ts', 'api/main.ts', 'api/problem.ts', 'api/route.ts'])
})
