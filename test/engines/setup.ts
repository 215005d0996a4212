import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { down, freePorts, up } from './native.ts'

/** Starts engines for this run in a temporary folder, or uses those that the environment names. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['DATABASE_URL']) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-engines-'))
  const settings = await up(folder, ['postgres', 'kafka', 'temporal', 's3'], await freePorts())
  Object.assign(process.env, settings, { ENGINES_FOLDER: folder })
  return async () => {
    await down(folder)
    await rm(folder, { recursive: true, force: true })
  }
}
