import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { parse } from 'yaml'
import { installedTool } from './chart-tools.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const folderOfChart = join(root, 'infra/helm')
const VALUES = join(folderOfChart, 'ci/small-values.yaml')
const MAX_BYTES = 16 << 20

/** What the packed chart says about itself. */
export interface ChartMetadata {
  readonly name: string
  readonly version: string
  readonly appVersion: string
}

export async function chartMetadata(folder = folderOfChart): Promise<ChartMetadata> {
  return parse(await readFile(join(folder, 'Chart.yaml'), 'utf8'))
}

/**
 * Packs infra/helm in the form of `helm package`, but with the same bytes whenever it is packed: helm writes the time of day into the
 * archive. It is named hexcast-chart-VERSION.tgz, because the npm package has the name that helm would choose.
 * @returns its path
 */
export async function packChart(folder: string): Promise<string> {
  const { name, version } = await chartMetadata()
  const { stdout: listed } = await run('git', ['ls-files'], { cwd: folderOfChart })
  const files = listed.trim().split('\n').sort()
  const fixed = ['--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rw,go=r', '--format=ustar']
  const { stdout: archive } = await run('tar', [...fixed, `--transform=s,^,${name}/,`, '-cf', '-', ...files], {
    cwd: folderOfChart,
    encoding: 'buffer',
    maxBuffer: MAX_BYTES,
  })
  const file = join(folder, `${name}-chart-${version}.tgz`)
  await writeFile(file, gzipSync(archive, { level: 9 }))
  return file
}

/**
 * Uses a packed chart: it must render as the folder does, if helm is installed; otherwise it must have all of its files.
 * @returns what was shown
 * @throws Error with the output of helm, or if the archive differs from the folder
 */
export async function useChart(file: string): Promise<string> {
  const helm = await installedTool('helm')
  if (helm !== undefined) {
    const template = async (chart: string) =>
      (await run(helm, ['template', 'weather', chart, '-f', VALUES], { maxBuffer: MAX_BYTES })).stdout
    await run(helm, ['lint', '--strict', file, '-f', VALUES])
    const objects = await template(file)
    if (objects !== (await template(folderOfChart)))
      throw new Error(`${basename(file)} renders other objects than infra/helm`)
    return `${objects.match(/^kind: /gm)?.length ?? 0} objects rendered by helm, as from infra/helm`
  }
  const place = await mkdtemp(join(tmpdir(), 'hexcast-chart-'))
  try {
    await mkdir(place, { recursive: true })
    await run('tar', ['-xzf', file, '-C', place])
    const { name, version } = await chartMetadata(join(place, (await chartMetadata()).name))
    await run('diff', ['--recursive', join(place, name), folderOfChart])
    return `${name} ${version} unpacked, equal to infra/helm (helm is not installed)`
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
