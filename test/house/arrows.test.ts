import { expect, test } from 'vitest'
import { importsOf, sourceFiles } from './imports.ts'

/** The rooms of the house, the longest matching path first, and which rooms each may import. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'ingest/grib2-wasm': [],
  'ingest/domain': [],
  'ingest/geo': ['ingest/domain'],
  'ingest/nowcast': ['ingest/domain'],
  'ingest/config.ts': ['ingest/domain'],
  'ingest/decode': ['ingest/domain', 'ingest/grib2-wasm'],
  'ingest/tile': ['ingest/domain', 'ingest/ports'],
  'ingest/ports': ['ingest/domain', 'ingest/config.ts', 'sql'],
  'ingest/datasets': ['ingest/domain'],
  'ingest/catalog.ts': ['ingest/domain', 'ingest/datasets'],
  'ingest/steps': [
    'ingest/domain',
    'ingest/geo',
    'ingest/decode',
    'ingest/tile',
    'ingest/ports',
    'ingest/nowcast',
    'ingest/grib2-wasm',
    'sql',
  ],
  'ingest/cli': [
    'ingest/domain',
    'ingest/geo',
    'ingest/decode',
    'ingest/tile',
    'ingest/ports',
    'ingest/nowcast',
    'ingest/grib2-wasm',
    'ingest/steps',
    'ingest/datasets',
    'ingest/catalog.ts',
    'ingest/config.ts',
    'ingest/cli.ts',
    'sql',
    'hexcast.ts',
  ],
  workers: [
    'ingest/domain',
    'ingest/ports',
    'ingest/steps',
    'ingest/catalog.ts',
    'ingest/config.ts',
    'sql',
    'hexcast.ts',
  ],
  'api/client': [],
  api: [
    'ingest/domain',
    'ingest/geo',
    'ingest/tile',
    'ingest/ports',
    'ingest/nowcast',
    'ingest/catalog.ts',
    'sql',
    'hexcast.ts',
  ],
  sql: ['ingest/domain', 'ingest/ports'],
  'infra/simulator': ['ingest/domain', 'ingest/geo'],
}

/** Front doors: they put the rooms together, so they may reach further. */
const doors: Readonly<Record<string, readonly string[]>> = {
  'hexcast.ts': ['ingest/cli', 'workers', 'api'],
  'api/main.ts': ['ingest/config.ts'],
  'api/cli.ts': ['ingest/config.ts'],
  'api/mcp/stdio.ts': ['ingest/config.ts'],
  'ingest/cli/hand.ts': ['infra/simulator'],
  'workers/upstream.ts': ['infra/simulator'],
  'workers/start.ts': ['api', 'infra/simulator'],
  'workers/cli.ts': ['api', 'infra/simulator'],
}

/** Heavy packages, and the only places that import them. */
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
  'oidc-provider': ['api/keys/'],
  '@modelcontextprotocol/server': ['api/mcp/'],
  '@modelcontextprotocol/node': ['api/mcp/'],
  h5wasm: ['ingest/decode/', 'infra/simulator/lightning.ts'],
  'astronomy-engine': ['ingest/domain/'],
}

const files = sourceFiles().filter(
  (file) => !file.startsWith('test/') && !file.includes('/test/') && !/^[\w.]+\.config\.ts$/.test(file),
)
const named = Object.keys(rooms).sort((a, b) => b.length - a.length)

function roomOf(file: string): string | undefined {
  return named.find(
    (room) => file === room || file.startsWith(`${room}/`) || (room === 'ingest/cli' && file === 'ingest/cli.ts'),
  )
}

/** Scripts that make packaged data stand apart: they run by hand, on a maintainer's machine. */
const script = (file: string) => /\/(make|build|generate|scratch)[-/.]/.test(file) || file === 'bin/hexcast.mjs'

test('rooms import only what the house allows', () => {
  const wrong: string[] = []
  for (const file of files) {
    if (script(file)) continue
    const room = roomOf(file)
    for (const { to } of importsOf(file)) {
      const target = to === 'grib2-wasm' ? 'ingest/grib2-wasm' : (roomOf(to) ?? (to === 'hexcast.ts' ? to : undefined))
      if (!target || target === room) continue
      const allowed = [...(room ? rooms[room] : []), ...(doors[file] ?? [])]
      if (!allowed.some((one) => target === one || target.startsWith(`${one}/`))) wrong.push(`${file} -> ${to}`)
    }
  }
  expect(wrong).toEqual([])
})

test('each heavy package has one importer', () => {
  const wrong: string[] = []
  for (const file of files) {
    if (script(file)) continue
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
        (!/^(workers\/(workflows|retry|activities)|ingest\/domain)/.test(to) && !typeOnly),
    )
  expect(wrong).toEqual([])
})

test('no circle of files outside type imports', () => {
  const graph = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter(({ typeOnly }) => !typeOnly)
        .map(({ to }) => to),
    ]),
  )
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
  for (const file of files) walk(file, [])
  expect(circles).toEqual([])
})
