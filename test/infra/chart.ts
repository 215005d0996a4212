/**
 * `npm run test:chart` checks infra/helm with helm lint, helm template and kubeconform for each file of values in infra/helm/ci, and each
 * pod with the program itself: its environment must be accepted as settings. It builds the tools with Go once, and takes the schemas of
 * Kubernetes from PyPI. Where they cannot be obtained, it says so and ends with 0.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { chartTool, kubernetesSchemas } from '../../infra/release/chart-tools.ts'
import { loadConfig, settings } from '../../ingest/config.ts'
import { takesFile } from '../../ingest/domain/setting-values.ts'

const run = promisify(execFile)
const chart = join(import.meta.dirname, '../../infra/helm')
const KUBERNETES_VERSIONS = ['1.29.0', '1.37.0']
const SECRETS = '/run/secrets/hexcast'
const folder = mkdtempSync(join(tmpdir(), 'hexcast-chart-'))
let passed = 0
let failed = 0
let skipped = 0

async function check(title: string, work: () => unknown): Promise<void> {
  try {
    await work()
    passed++
    console.log(`ok    ${title}`)
  } catch (error) {
    failed++
    console.log(
      `FAIL  ${title}: ${(error as { stderr?: string }).stderr || (error as { stdout?: string }).stdout || error}`,
    )
  }
}

function skip(reason: string, error: unknown): void {
  skipped++
  console.log(`SKIP  ${reason}: ${(error as Error).message.split('\n')[0]}`)
}

interface SecretItem {
  readonly secret: { readonly name: string; readonly items: readonly { readonly key: string; readonly path: string }[] }
}

/** The parts of a Deployment or a Job that the checks read. */
interface Workload {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly replicas?: number
    readonly template: {
      readonly spec: {
        readonly automountServiceAccountToken: boolean
        readonly terminationGracePeriodSeconds?: number
        readonly securityContext: Readonly<Record<string, unknown>>
        readonly containers: readonly {
          readonly args: readonly string[]
          readonly env: readonly { readonly name: string; readonly value: string }[]
          readonly securityContext: Readonly<Record<string, unknown>>
          readonly resources: unknown
          readonly livenessProbe?: { readonly httpGet: { readonly path: string } }
          readonly readinessProbe?: { readonly httpGet: { readonly path: string } }
        }[]
        readonly volumes: readonly {
          readonly name: string
          readonly projected?: { readonly sources: readonly SecretItem[] }
        }[]
      }
    }
  }
}

/** A value that the setting accepts, in place of the secret's content. */
const contentOf = (name: string) =>
  name === 'DATABASE_URL' ? 'postgres://hexcast:secret@db:5432/hexcast' : 'a-secret-value'

/** Reads the environment of a pod as the program does, with files in place of the mounted secrets. */
function checkPod(workload: Workload): void {
  const { template } = workload.spec
  const [container] = template.spec.containers
  assert(container)
  const mounted = template.spec.volumes
    .flatMap(({ projected }) => projected?.sources ?? [])
    .flatMap(({ secret }) => secret.items.map(({ path }) => path))
  for (const path of mounted) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), contentOf(path))
  }
  const env: Record<string, string> = {}
  for (const { name, value } of container.env) {
    assert(!(name in env), `${name} is set twice`)
    const base = name.replace(/_FILE$/, '')
    assert(name in settings || (base in settings && takesFile(base)), `${name} is no setting`)
    assert(!/SECRET|TOKEN|API_KEY|PASSWORD/.test(base) || name !== base, `${name} is a secret in the open`)
    if (value.startsWith(SECRETS)) assert(mounted.includes(value.slice(SECRETS.length + 1)), `${value} is not mounted`)
    env[name] = value.replace(SECRETS, folder)
  }
  const config = loadConfig(env)
  assert(config.databaseUrl && config.objects.kind === 's3' && config.temporal && config.kafkaBrokers.length > 0)
  assert.deepEqual(
    {
      ...container.securityContext,
      ...template.spec.securityContext,
      token: template.spec.automountServiceAccountToken,
    },
    {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
      token: false,
    },
  )
  assert(container.resources)
  if (workload.kind === 'Job') return
  assert.equal(container.livenessProbe?.httpGet.path, '/healthz')
  if (container.args[0] === 'worker') {
    assert.equal(config.workerMetricsPort, 9464)
    return
  }
  assert.equal(container.readinessProbe?.httpGet.path, '/readyz')
  // A process that drains needs 25 s after DRAIN_SECONDS (infra/OPS.md).
  assert((template.spec.terminationGracePeriodSeconds ?? 0) >= (config.drainSeconds ?? 5) + 25)
}

async function checkValues(helm: string, kubeconform: string | undefined, name: string): Promise<void> {
  const values = join(chart, 'ci', name)
  await check(`${name}: helm lint --strict`, () =>
    run(helm, ['lint', '--strict', '--kube-version', '1.29.0', chart, '-f', values]),
  )
  for (const version of KUBERNETES_VERSIONS) {
    const file = join(folder, `${version}-${name}`)
    await check(`${name}: helm template for Kubernetes ${version}`, async () => {
      const { stdout } = await run(helm, ['template', 'weather', chart, '--kube-version', version, '-f', values])
      writeFileSync(file, stdout)
      const workloads = parseAllDocuments(stdout)
        .map((document) => document.toJS() as Workload | null)
        .filter((object): object is Workload => object?.kind === 'Deployment' || object?.kind === 'Job')
      assert(workloads.length >= 2)
      for (const workload of workloads) checkPod(workload)
    })
    const schemas =
      kubeconform && (await kubernetesSchemas(version).catch((error) => skip('schemas of Kubernetes', error)))
    if (!kubeconform || !schemas) continue
    await check(`${name}: kubeconform for Kubernetes ${version}`, async () => {
      // PodMonitor belongs to the Prometheus operator, whose schemas are in no package.
      const location = `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`
      const { stdout } = await run(kubeconform, [
        '-strict',
        '-summary',
        '-skip',
        'PodMonitor',
        '-schema-location',
        location,
        file,
      ])
      console.log(`      ${stdout.trim()}`)
      assert(/[1-9]\d* resources? found/.test(stdout))
    })
  }
}

/** What the chart refuses: words of the reason, the file of values, and what is set in addition. */
const refusals = [
  ['settings.OBJECTS_URL is required', 'small', 'settings.OBJECTS_URL='],
  ['secrets.DATABASE_URL is required', 'pooled', 'settings.DATABASE_URL='],
  ['settings.DATABASE_URL has a password', 'pooled', 'settings.DATABASE_URL=postgres://a:b@c/d'],
  ['settings.CONTACT is required', 'small', 'settings.UPSTREAM=live'],
  ['settings.METRICS_TOKEN is a secret', 'small', 'settings.METRICS_TOKEN=abc'],
  ['podMonitor needs secrets.METRICS_TOKEN', 'small', 'podMonitor.enabled=true'],
  ['/api/replicas', 'small', 'api.replicas=many'],
] as const

try {
  const helm = await chartTool('helm').catch((error) => skip('helm is not installed and could not be built', error))
  const kubeconform = await chartTool('kubeconform').catch((error) =>
    skip('kubeconform is not installed and could not be built', error),
  )
  if (helm) {
    for (const name of readdirSync(join(chart, 'ci')).sort()) await checkValues(helm, kubeconform ?? undefined, name)
    for (const [words, values, set] of refusals)
      await check(`refuses ${set}`, async () => {
        const options = ['--kube-version', '1.29.0', '-f', join(chart, `ci/${values}-values.yaml`), '--set', set]
        await assert.rejects(run(helm, ['template', 'weather', chart, ...options]), (error: { stderr: string }) =>
          error.stderr.includes(words),
        )
      })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = failed > 0 ? 1 : 0
