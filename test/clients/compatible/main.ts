/**
 * `npm run test:clients -- [--python=python3.11]` installs clients of other services in a temporary folder, unmodified but for a constant
 * with the host where it cannot be given, and lets them read this server without a key. Each must read the temperature of `/v1/weather`.
 */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { openUpstream } from '../../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../../ingest/steps/feeds/alerts.ts'
import { type EdgeServer, edgeServer } from '../../api/http/test-server.ts'
import { startMirror } from '../../walks/mirror.ts'
import { type OutsideClient, outsideClients, substitutes } from './clients.ts'

const run = promisify(execFile)
const { values } = parseArgs({ options: { python: { type: 'string', default: 'python3' } } })
const INSTALL_MS = 180_000
const RUN_MS = 60_000

/** Installs a client in an empty folder. @throws Error with the output of npm or pip if it cannot be obtained */
async function install({ registry, package: name }: OutsideClient, folder: string): Promise<void> {
  const options = { cwd: folder, timeout: INSTALL_MS }
  if (registry === 'npm') {
    await writeFile(join(folder, 'package.json'), '{}')
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', name], options)
  } else await run(values.python, ['-m', 'pip', 'install', '--quiet', '--target', join(folder, 'site'), name], options)
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

/** Returns what the program of a client printed. */
async function read(
  base: string,
  { registry, program }: OutsideClient,
  folder: string,
): Promise<{ temperature: number }> {
  const copy = join(folder, `program-${program}`)
  await copyFile(join(import.meta.dirname, 'programs', program), copy)
  const env = { ...process.env, BASE: base, PYTHONPATH: join(folder, 'site') }
  const command = registry === 'npm' ? process.execPath : values.python
  const { stdout } = await run(command, [copy], { cwd: folder, timeout: RUN_MS, env })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

/** Lets the server read an empty list of alerts: until then the answers of Pirate Weather are refused. */
async function readAlerts({ database }: EdgeServer): Promise<void> {
  const mirror = await startMirror()
  mirror.set('api.weather.gov/alerts/active', JSON.stringify({ type: 'FeatureCollection', features: [] }))
  const upstream = openUpstream({ mirror: mirror.url })
  await sweepAlerts({ database, upstream })
  await upstream.close()
  await mirror.close()
}

const messageOf = (error: unknown) =>
  String((error as { stderr?: string }).stderr || error)
    .trim()
    .slice(-600)

const folder = await mkdtemp(join(tmpdir(), 'hexcast-outside-'))
const edge = await edgeServer()
let [passed, failed, skipped] = [0, 0, 0]
try {
  await readAlerts(edge)
  const reply = await edge.get('/v1/weather?lat=39.74&lon=-104.99&units=metric&include=current', await edge.key())
  const { current } = (await reply.json()) as { current: { temperature: number } }
  for (const client of outsideClients) {
    const own = join(folder, client.program)
    await mkdir(own)
    const title = `${client.package} (${client.registry})`
    try {
      await install(client, own)
    } catch (error) {
      skipped++
      console.log(`skipped ${title}: it could not be installed: ${messageOf(error)}`)
      continue
    }
    try {
      await pointAt(edge.base, client, own)
      const printed = await read(edge.base, client, own)
      const tolerance = client.reads === 'now' ? 0.06 : 0.6
      if (!(Math.abs(printed.temperature - current.temperature) <= tolerance))
        throw new Error(`read ${printed.temperature} °C instead of ${current.temperature} °C`)
      passed++
      const means = client.hosts ? `constants replaced: ${Object.keys(client.hosts).join(', ')}` : 'host by argument'
      console.log(`passed  ${title}, ${means}: ${JSON.stringify(printed)}`)
    } catch (error) {
      failed++
      console.log(`failed  ${title}: ${messageOf(error)}`)
    }
  }
} finally {
  await edge.close()
  await rm(folder, { recursive: true, force: true })
}
for (const substitute of substitutes) console.log(`not run ${substitute}`)
console.log(`${passed} clients passed, ${failed} failed, ${skipped} could not be installed`)
process.exitCode = failed > 0 ? 1 : 0
