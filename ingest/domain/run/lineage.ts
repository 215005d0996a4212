import { createHash } from 'node:crypto'
import { nth } from '../nth.ts'
import { type Instant, isoSeconds } from '../time.ts'

/** A stage of a model run. In OpenLineage it is a run of the job `DATASET.DOMAINS`. */
export interface LineageStage {
  readonly dataset: string
  readonly domains: readonly string[]
  readonly run: Instant
  readonly stage: number
}

export interface LineageNote extends LineageStage {
  readonly type: 'START' | 'COMPLETE' | 'FAIL'
  readonly at: Instant
  /** Addresses of upstream files. */
  readonly inputs: readonly string[]
  /** Published manifests. */
  readonly outputs?: readonly string[]
  /** Why the stage failed. */
  readonly reason?: string
}

const PRODUCER = 'https://github.com/hexcast/hexcast'
const SPEC = 'https://openlineage.io/spec'
const facet = (name: string, file: string, content: object) => ({
  [name]: { _producer: PRODUCER, _schemaURL: `${SPEC}/facets/${file}`, ...content },
})

/**
 * Returns a RunEvent of OpenLineage 2-0-2. The run id is derived from the name of the run, so all workers use the same id. If later files
 * extend a stage, it starts and completes again with the same id.
 */
export function lineageEvent(namespace: string, note: LineageNote): object {
  const { type, at, dataset, domains, run, stage, inputs, outputs = [], reason } = note
  const name = `${dataset}.${domains.join('+')}`
  return {
    eventType: type,
    eventTime: new Date(at).toISOString(),
    run: {
      runId: nameId(`${namespace}/${name}/${isoSeconds(run)}/${stage}`),
      facets: {
        ...facet('nominalTime', '1-0-1/NominalTimeRunFacet.json#/$defs/NominalTimeRunFacet', {
          nominalStartTime: isoSeconds(run),
        }),
        ...(reason !== undefined &&
          facet('errorMessage', '1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet', {
            message: reason,
            programmingLanguage: 'TypeScript',
          })),
      },
    },
    job: {
      namespace,
      name,
      facets: facet('jobType', '2-0-3/JobTypeJobFacet.json#/$defs/JobTypeJobFacet', {
        processingType: 'BATCH',
        integration: 'HEXCAST',
        jobType: 'MODEL_RUN',
      }),
    },
    inputs: inputs.map(inputOf),
    outputs: outputs.map((key) => ({ namespace, name: key })),
    producer: PRODUCER,
    schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
  }
}

/** Returns the dataset of an upstream address: the bucket is the namespace and the key is the name. */
function inputOf(address: string): { namespace: string; name: string } {
  const { hostname, origin, pathname } = new URL(address)
  const name = decodeURIComponent(pathname.slice(1))
  const bucket = /^(.+)\.s3\.amazonaws\.com$/.exec(hostname)?.[1]
  return { namespace: bucket ? `s3://${bucket}` : origin, name }
}

/** Returns a version 5 UUID in the namespace of URLs. */
function nameId(name: string): string {
  const bytes = createHash('sha1').update(Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')).update(name).digest()
  bytes[6] = (nth(bytes, 6) & 0x0f) | 0x50
  bytes[8] = (nth(bytes, 8) & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
