import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { down, freePorts, up } from '../engines/native.ts'

/** Engines of the drills' own, since they are broken on purpose. ENGINES_FOLDER names a folder to use again and to leave running. */
export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env['ENGINES_FOLDER']
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'hexcast-drills-')))
  const engines = ['postgres', 'kafka', 'temporal', 's3']
  Object.assign(process.env, await up(folder, engines, given ? {} : await freePorts()), { ENGINES_FOLDER: folder })
  return async () => {
    if (given) return
    await down(folder)
    await rm(folder, { recursive: true, force: true })
  }
}
