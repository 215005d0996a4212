import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { down, freePorts, up } from '../engines/native.ts'
import { Process } from './process.ts'

/** The simulator keeps every n-th grid point, since the drills test engines and not decoders. */
const coarse = 32

/**
 * Starts separate engines for the drills, which break them on purpose, and one simulated upstream for all drills.
 * ENGINES_FOLDER names a folder of engines to reuse and to leave running.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const reusedFolder = process.env['ENGINES_FOLDER']
  const folder = reusedFolder ?? (await mkdtemp(join(tmpdir(), 'hexcast-drills-')))
  const engines = ['postgres', 'kafka', 'temporal', 's3']
  Object.assign(process.env, await up(folder, engines, reusedFolder ? {} : await freePorts()), {
    ENGINES_FOLDER: folder,
  })
  const simulator = new Process(['infra/simulator/main.ts', '--port=0', `--coarse=${coarse}`], process.env)
  const drills = await mkdtemp(join(tmpdir(), 'hexcast-drills-'))
  Object.assign(process.env, { DRILL_UPSTREAM: (await simulator.line('http://')).trim(), DRILL_FOLDER: drills })
  return async () => {
    await simulator.end('SIGKILL')
    await rm(drills, { recursive: true, force: true })
    if (reusedFolder) return
    await down(folder)
    await rm(folder, { recursive: true, force: true })
  }
}
