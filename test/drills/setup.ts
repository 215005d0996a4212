import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { down, freePorts, up } from '../engines/native.ts'
import { Process } from './process.ts'

/** Every so many-th point of the real grids: what is drilled are engines, not decoders. */
const coarse = 32

/**
 * Engines of the drills' own, since they are broken on purpose, and one simulated upstream that feeds all drills.
 * ENGINES_FOLDER names a folder to use again and to leave running.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env['ENGINES_FOLDER']
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'hexcast-drills-')))
  const engines = ['postgres', 'kafka', 'temporal', 's3']
  Object.assign(process.env, await up(folder, engines, given ? {} : await freePorts()), { ENGINES_FOLDER: folder })
  const simulator = new Process(['infra/simulator/main.ts', '--port=0', `--coarse=${coarse}`], process.env)
  const drills = await mkdtemp(join(tmpdir(), 'hexcast-drills-'))
  Object.assign(process.env, { DRILL_UPSTREAM: (await simulator.saying('http://')).trim(), DRILL_FOLDER: drills })
  return async () => {
    await simulator.end('SIGKILL')
    await rm(drills, { recursive: true, force: true })
    if (given) return
    await down(folder)
    await rm(folder, { recursive: true, force: true })
  }
}
