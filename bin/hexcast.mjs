#!/usr/bin/env node
// Runs hexcast on Node 24 whatever the host has: the runtime comes from npm.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

if (Number(process.versions.node.split('.')[0]) >= 24) {
  const compiled = join(root, 'node_modules', '.cache', 'hexcast')
  // Less memory, read by the C library and V8 at their start: each thread would have an arena of 64 MB of its own,
  // buffers of up to 32 MB would be cut from arenas and leave holes in them (64 KB is what is read from a socket at
  // once: 190 MB of them stayed after a run), and each heap would have a young generation of up to 134 MB (at most 6
  // where no request waits for its collections: nothing takes longer by it).
  const serves = ['start', 'api', 'worker'].includes(process.argv[2])
  if (serves && process.platform === 'linux' && process.env.MALLOC_ARENA_MAX === undefined) {
    const env = { ...process.env, MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536' }
    const { answering } = await import('./young-generation.ts')
    const young = process.argv[2] === 'api' ? answering : ['--max-semi-space-size=2']
    process.execve(process.execPath, [process.execPath, ...young, ...process.execArgv, ...process.argv.slice(1)], env)
  }
  module.enableCompileCache(compiled)
  // Threads and children read it from here.
  process.env.NODE_COMPILE_CACHE ??= compiled
  // RUN_SOURCES=1: profiles and traces then name source files.
  const builds = serves && process.env.RUN_SOURCES !== '1'
  const built = builds ? await (await import('./build.ts')).builtPrograms() : undefined
  await import(built ? pathToFileURL(join(built, 'main.mjs')).href : './main.ts')
} else {
  const node = join(root, 'node_modules', 'node', 'bin', 'node')
  if (!existsSync(node)) {
    console.error(
      `hexcast needs Node 24, this is ${process.versions.node}. Run "npm ci" in ${root}: it brings Node 24.`,
    )
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}
