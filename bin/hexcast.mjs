#!/usr/bin/env node
// Runs hexcast on Node 24, which npm installs if the host has an older version.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

if (Number(process.versions.node.split('.')[0]) >= 24) {
  const compiled = join(root, 'node_modules', '.cache', 'hexcast')
  const serves = ['start', 'api', 'worker'].includes(process.argv[2])
  if (serves && process.platform === 'linux' && process.env.MALLOC_ARENA_MAX === undefined) {
    const { answeringOptions, mallocSettings, workingOptions } = await import('./process-settings.ts')
    const options = process.argv[2] === 'api' ? answeringOptions : workingOptions
    // The C library and V8 read these settings only when a process starts, so the process replaces itself.
    process.execve(process.execPath, [process.execPath, ...options, ...process.execArgv, ...process.argv.slice(1)], {
      ...process.env,
      ...mallocSettings,
    })
  }
  module.enableCompileCache(compiled)
  // Threads and child processes use the same compile cache.
  process.env.NODE_COMPILE_CACHE ??= compiled
  // If RUN_SOURCES is 1 the sources run instead of the built programs, so that profiles and traces name source files. The npm package
  // has no sources to build programs from.
  const usesPrograms = serves && process.env.RUN_SOURCES !== '1' && existsSync(join(root, 'bin', 'build.ts'))
  const programs = usesPrograms ? await (await import('./build.ts')).currentPrograms() : undefined
  await import(programs ? pathToFileURL(join(programs, 'main.mjs')).href : './main.ts')
} else {
  // The package "node" is in the same folder of packages, or in the one that has this package.
  const node = [join(root, 'node_modules'), dirname(root)]
    .map((folder) => join(folder, 'node', 'bin', 'node'))
    .find((file) => existsSync(file))
  if (node === undefined) {
    console.error(
      `hexcast needs Node 24, but this is Node ${process.versions.node}. Run "npm ci" in ${root} to install Node 24.`,
    )
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}
