import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildBundle } from '../bundle/main.ts'
import { packPython, packTypeScript } from '../clients/main.ts'
import { packApplication } from './application.ts'
import { packChart } from './chart.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Paths of what is published; the wheel is undefined without an interpreter. */
export interface Artifacts {
  readonly application: string
  readonly decoder: string
  readonly client: string
  readonly bundle: string
  readonly chart: string
  readonly wheel: string | undefined
}

export const filesOf = (artifacts: Artifacts): string[] => Object.values(artifacts).filter((file) => file !== undefined)

/**
 * Builds every artifact.
 * @param folder an empty folder
 * @param python an interpreter that has pip; undefined if there is none
 * @throws Error with the output of the tool that failed
 */
export async function buildArtifacts(folder: string, python: string | undefined): Promise<Artifacts> {
  await mkdir(folder, { recursive: true })
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: join(root, 'ingest/grib2-wasm'),
  })
  const decoder = join(folder, basename(packed.stdout.trim().split('\n').at(-1) ?? ''))
  const bundle = join(folder, 'hexcast.mcpb')
  await buildBundle(bundle)
  await writeFile(bundle, withoutTimes(await readFile(bundle)))
  return {
    application: await packApplication(folder, decoder),
    decoder,
    client: await packTypeScript(folder),
    bundle,
    chart: await packChart(folder),
    wheel: python === undefined ? undefined : await packPython(folder, python),
  }
}

/** Signatures of the headers of a ZIP file, and the offset in each of the time of its entry. */
const headers = [
  { signature: 0x04034b50, time: 10 },
  { signature: 0x02014b50, time: 12 },
] as const
/** 1 January 1980, the first time that ZIP knows. */
const FIRST_TIME = 0x00210000

/**
 * Returns a ZIP file whose entries have the same time whenever it was built.
 * @throws Error if the file has no directory of entries
 */
export function withoutTimes(zip: Buffer): Buffer {
  const result = Buffer.from(zip)
  const end = result.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0) throw new Error('the bundle is not a ZIP file: it has no end of a directory')
  const [entries, begin] = [result.readUInt16LE(end + 10), result.readUInt32LE(end + 16)]
  const [local, central] = headers
  for (let i = 0, at = begin; i < entries; i++) {
    const start = result.readUInt32LE(at + 42)
    if (result.readUInt32LE(at) !== central.signature || result.readUInt32LE(start) !== local.signature)
      throw new Error(`the bundle is not a ZIP file: entry ${i} has no header`)
    result.writeUInt32LE(FIRST_TIME, at + central.time)
    result.writeUInt32LE(FIRST_TIME, start + local.time)
    at += 46 + result.readUInt16LE(at + 28) + result.readUInt16LE(at + 30) + result.readUInt16LE(at + 32)
  }
  return result
}
