#!/usr/bin/env node
// Runs hexcast on Node 24 whatever the host has: the runtime comes from npm.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

if (Number(process.versions.node.split('.')[0]) >= 24) {
  const compiled = join(root, 'node_modules', '.cache', 'hexcast')
  module.enableCompileCache(compiled)
  // Threads and children read it from here.
  process.env.NODE_COMPILE_CACHE ??= compiled
  await import('./main.ts')
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
