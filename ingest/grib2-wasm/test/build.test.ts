import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compileKernels } from '../build/kernels.ts'
import { tables } from '../build/tables.ts'
import { craftSimple } from './craft.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the checked-in kernels equal the compiled assembly/', async () => {
  const checkedIn = readFileSync(join(root, 'src/kernels.generated.ts'), 'utf8')
  const same = checkedIn === (await compileKernels())
  expect(same, 'run: npm run generate -w grib2-wasm').toBe(true)
})

test('the checked-in tables equal those generated from data/', () => {
  const same = readFileSync(join(root, 'src/product/tables.generated.ts'), 'utf8') === tables()
  expect(same, 'run: npm run generate -w grib2-wasm').toBe(true)
})

test('the packed package is plain JavaScript with types, which a project can install and use', () => {
  const work = mkdtempSync(join(tmpdir(), 'grib2-wasm-'))
  try {
    const modules = dirname(dirname(createRequire(import.meta.url).resolve('typescript/package.json')))
    symlinkSync(modules, join(work, 'node_modules'))
    const copy = join(work, 'package')
    cpSync(root, copy, {
      recursive: true,
      filter: (path) => !/node_modules|\/dist(\/|$)/.test(path.slice(root.length)),
    })
    const before = readFileSync(join(copy, 'package.json'), 'utf8')
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', work], {
        cwd: copy,
        encoding: 'utf8',
      }).replace(/^[^[]*/, ''),
    )
    expect(readFileSync(join(copy, 'package.json'), 'utf8')).toBe(before)
    const names: string[] = packed.files.map(({ path }: { path: string }) => path)
    expect(names.filter((name) => !/^(dist\/.*\.(js|d\.ts)|README\.md|LICENSE|package\.json)$/.test(name))).toEqual([])

    const consumer = join(work, 'consumer')
    const installed = join(consumer, 'node_modules/grib2-wasm')
    mkdirSync(installed, { recursive: true })
    execFileSync('tar', ['-xzf', join(work, packed.filename), '--strip-components=1', '-C', installed])
    writeFileSync(join(consumer, 'message.grib2'), craftSimple(3, 2, [1, 2, 3, 4, 5, 6], 8, { scan: 0x10 }))
    const source = [
      "import { readFileSync } from 'node:fs'",
      "import { type Message, readMessages } from 'grib2-wasm'",
      "const [message]: Message[] = [...readMessages(readFileSync('message.grib2'))]",
      'const values: Float32Array = message.values()',
      "console.log(message.product.name, message.product.level?.name, values.join(' '))",
    ]
    writeFileSync(join(consumer, 'use.mts'), source.join('\n'))
    const tsc = join(modules, 'typescript/bin/tsc')
    const words = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      // Without the DOM's types, as in a project for Node alone.
      '--lib',
      'es2022',
      '--types',
      'node',
      '--typeRoots',
      join(modules, '@types'),
    ]
    execFileSync(process.execPath, [tsc, ...words, 'use.mts'], { cwd: consumer, encoding: 'utf8' })
    expect(execFileSync(process.execPath, ['use.mjs'], { cwd: consumer, encoding: 'utf8' })).toBe(
      'TMP 2 m above ground 1 2 3 6 5 4\n',
    )
    expect(existsSync(join(installed, 'src'))).toBe(false)
    expect(packed.size).toBeLessThan(200_000)

    const program = join(installed, JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).bin['grib2-wasm'])
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [program, 'message.grib2', ...args], { cwd: consumer, encoding: 'utf8' })
    expect(run().split('\n')[1]).toMatch(/^1 +0 +2026-08-20 12:00 +TMP +2 m above ground +6 hour fcst +lat-lon 3×2/)
    // Rows from the north, the second one turned back: 6 5 4.
    expect(run('--point', '10,250')).toBe('1 TMP 2 m above ground 6 hour fcst: 6 at 10.0000,-110.0000 (K)\n')
    expect(run('--point=50,250')).toContain('outside the grid')
    expect(run('--csv', '-').split('\n').slice(0, 2)).toEqual([
      'field,name,level,time,lat,lon,value',
      '1,TMP,2 m above ground,2026-08-20T18:00:00.000Z,11.000000,-110.000000,1',
    ])
    expect(run('--zarr', 'store', '--png', 'picture.png').split('\n').slice(0, 2)).toEqual([
      'store/1_TMP_2_m_above_ground_6_hour_fcst',
      'picture.png',
    ])
    const array = join(consumer, 'store/1_TMP_2_m_above_ground_6_hour_fcst')
    expect(JSON.parse(readFileSync(join(array, 'zarr.json'), 'utf8'))).toMatchObject({
      zarr_format: 3,
      shape: [2, 3],
      data_type: 'float32',
    })
    const chunk = gunzipSync(readFileSync(join(array, 'c/0/0')))
    expect([...new Float32Array(chunk.buffer, chunk.byteOffset, 6)]).toEqual([1, 2, 3, 6, 5, 4])
    expect([...readFileSync(join(consumer, 'picture.png')).subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47])
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
})
