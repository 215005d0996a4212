/**
 * In the tree the package is its TypeScript source; packed it is JavaScript, because Node strips no types below
 * node_modules. `node build/pack.ts dist` compiles and points package.json there, `node build/pack.ts src` points it back.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

function compile(): void {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  // First the library is compiled without Node's types, because it also runs in browsers; then the command line tool.
  for (const project of ['tsconfig.build.json', 'tsconfig.cli.json']) {
    execFileSync(process.execPath, [tsc, '-p', join(root, project)], { stdio: 'inherit' })
  }
  // The compiler does not change the endings of imports in declarations.
  for (const file of readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue
    const path = join(root, 'dist', file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"))
  }
}

/** Replaces `./src/NAME.ts` by `./dist/NAME.js` and `.d.ts` in package.json, or the reverse. */
function point(to: 'dist' | 'src'): void {
  const path = join(root, 'package.json')
  const text = readFileSync(path, 'utf8')
  const replaced =
    to === 'dist'
      ? text
          .replaceAll(/"types": "\.\/src\/([\w/-]+)\.ts"/g, '"types": "./dist/$1.d.ts"')
          .replaceAll(/"\.\/src\/([\w/-]+)\.ts"/g, '"./dist/$1.js"')
      : text.replaceAll(/"\.\/dist\/([^"]+?)(?:\.d\.ts|\.js)"/g, '"./src/$1.ts"')
  writeFileSync(path, replaced)
}

const target = process.argv[2]
if (target === 'dist') compile()
if (target !== 'dist' && target !== 'src') throw new Error(`the target must be dist or src, but is ${target}`)
point(target)
