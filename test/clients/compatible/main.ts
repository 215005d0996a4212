/**
 * `npm run test:clients -- [--python=python3.11] [--only=exports]` installs clients of other services in a temporary folder, unmodified but for a constant
 * with the host where it cannot be given, and lets them read this server without a key. Each must read the temperature of `/v1/weather`, a
 * map the tiles of all frames. Then clients of Zarr and Parquet read a model run (`test/clients/exports`). A client that cannot be installed
 * is skipped.
 */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { skyServer } from '../../api/sky-server.ts'
import { program as chromium } from '../../pages/browser.ts'
import { checkExports } from '../exports/exports.ts'
import { readZones } from '../read-zones.ts'
import { type OutsideClient, outsideClients, substitutes } from './clients.ts'
import { playRadar } from './leaflet.ts'

const run = promisify(execFile)
const { values } = parseArgs({ options: { python: { type: 'string', default: 'python3' }, only: { type: 'string' } } })
const INSTALL_MS = 60_000
const RUN_MS = 60_000

/** Installs a client in an empty folder. @throws Error with the output of npm or pip if it cannot be obtained */
async function install({ registry, package: name }: OutsideClient, folder: string): Promise<void> {
  const options = { cwd: folder, timeout: INSTALL_MS }
  if (registry === 'npm') {
    await writeFile(join(folder, 'package.json'), '{}')
    const quiet = ['--silent', '--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-timeout=20000']
    await run('npm', ['install', ...quiet, name], options)
  } else {
    const quiet = ['--quiet', '--disable-pip-version-check', '--retries=1', '--timeout=20']
    await run(values.python, ['-m', 'pip', 'install', ...quiet, '--target', join(folder, 'site'), name], options)
  }
}

/** Replaces constants with the host in the sources of the installed package. @throws Error if one of them is nowhere */
async function pointAt(base: string, { package: name, hosts = {} }: OutsideClient, folder: string): Promise<void> {
  const replaced = new Set<string>()
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((path) => /\.(?:js|cjs|mjs|py)$/.test(path))) {
    const path = join(folder, file)
    const before = await readFile(path, 'utf8').catch(() => '')
    let text = before
    for (const [constant, at] of Object.entries(hosts)) {
      if (!text.includes(constant)) continue
      replaced.add(constant)
      text = text.replaceAll(constant, at(base))
    }
    if (text !== before) await writeFile(path, text)
  }
  const missing = Object.keys(hosts).filter((constant) => !replaced.has(constant))
  if (missing.length > 0) throw new Error(`${name} has no ${missing.join(' and no ')}: change its entry in clients.ts`)
}

/** Lets the program of a client read the server. @returns what it read @throws Error if that is not what the server serves */
async function check(base: string, client: OutsideClient, folder: string, temperature: number): Promise<unknown> {
  const { registry, program, reads } = client
  const copy = join(folder, `program-${program}`)
  await copyFile(join(import.meta.dirname, 'programs', program), copy)
  if (reads === 'tiles') {
    const counts = await playRadar(base, folder, `program-${program}`)
    const isWhole = counts.frames > 9 && counts.tiles >= 6 * counts.frames && counts.failed === 0 && counts.painted > 9
    if (!isWhole) throw new Error(`not all frames could be read: ${JSON.stringify(counts)}`)
    return counts
  }
  const env = { ...process.env, BASE: base, PYTHONPATH: join(folder, 'site') }
  const command = registry === 'npm' ? process.execPath : values.python
  const { stdout } = await run(command, [copy], { cwd: folder, timeout: RUN_MS, env })
  const printed = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { temperature: number }
  if (!(Math.abs(printed.temperature - temperature) <= (reads === 'now' ? 0.06 : 0.6)))
    throw new Error(`read ${printed.temperature} °C instead of ${temperature} °C`)
  return printed
}

const messageOf = (error: unknown) =>
  String((error as { stderr?: string }).stderr || error)
    .trim()
    .slice(-600)

type Outcome = 'passed' | 'failed' | 'skipped'
const outcomes: Outcome[] = []
function report(outcome: Outcome, text: string): void {
  outcomes.push(outcome)
  console.log(`${outcome.padEnd(7)} ${text}`)
}

/** Registries that did not answer in time: no more is asked of them. */
const silent = new Set<string>()

/** The server that clients read, the folder where they are installed, and the temperature that they must read. */
interface Subject {
  readonly base: string
  readonly folder: string
  readonly temperature: number
}

async function runClient(client: OutsideClient, { base, folder, temperature }: Subject): Promise<void> {
  const { registry, reads, hosts } = client
  const title = `${client.package} (${registry})`
  if (silent.has(registry)) return report('skipped', `${title}: ${registry} does not answer`)
  if (reads === 'tiles' && !chromium) return report('skipped', `${title}: it needs the Debian package chromium`)
  const own = join(folder, client.program)
  await mkdir(own)
  try {
    await install(client, own)
  } catch (error) {
    if ((error as { killed?: boolean }).killed) silent.add(registry)
    return report('skipped', `${title}: it could not be installed: ${messageOf(error)}`)
  }
  try {
    await pointAt(base, client, own)
    const printed = JSON.stringify(await check(base, client, own, temperature))
    const means = hosts ? `constants replaced: ${Object.keys(hosts).join(', ')}` : 'host by argument'
    report('passed', `${title}, ${means}: ${printed}`)
  } catch (error) {
    report('failed', `${title}: ${messageOf(error)}`)
  }
}

async function runOutsideClients(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-outside-'))
  const frames = ['mrms-reflectivity', 'mrms-precip-rate', 'mrms-precip-flag', 'storm-tracks', 'storm-cells']
  const sky = await skyServer({ coarse: 10, frames, settings: { CORS_ORIGINS: '*' } })
  const { base, key } = sky
  try {
    await readZones(sky)
    const headers = { authorization: `Bearer ${key}` }
    const address = `${base}/v1/weather?lat=39.74&lon=-104.99&units=metric&include=current`
    const { current } = (await (await fetch(address, { headers })).json()) as { current: { temperature: number } }
    const { temperature } = current
    for (const client of outsideClients) await runClient(client, { base, folder, temperature })
  } finally {
    await sky.close()
    await rm(folder, { recursive: true, force: true })
  }
  for (const substitute of substitutes) console.log(`not run ${substitute}`)
}

if (values.only !== 'exports') await runOutsideClients()
await checkExports(values.python, report)
const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
process.exitCode = count('failed') > 0 ? 1 : 0
