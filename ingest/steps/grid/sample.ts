import { createHash } from 'node:crypto'
import type { GridDataset } from '../../domain/dataset.ts'
import { discard } from '../../domain/discard.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { isRedirected, type Lost, reasonOf } from '../../domain/quarantine.ts'
import { type Instant, runName } from '../../domain/time.ts'
import { wantedVariables } from '../../domain/want.ts'
import type { Objects } from '../../ports/objects.ts'
import { inPart } from '../../ports/trace.ts'
import { discardFile, type FetchedFile, fetchFile } from './fetch-file.ts'
import type { PlannedFile } from './plan.ts'
import type { FileOptions } from './plan-file.ts'
import type { Receipt, SamplePorts } from './receipt.ts'
import { samplePlausible } from './sample-good.ts'
import { missingRequired } from './validate.ts'

/**
 * A grid with a smaller share of a domain's cells belongs to another domain. NOAA's contain all, and of Hawaii's outer islands two thirds.
 */
const MIN_CELL_SHARE = 0.5

/** Grows with the checks of messages: what was sampled under older ones is sampled again. */
const CHECKS = 2

/** Key prefix of a run's slabs while it is being built. */
export function slabPrefix(dataset: string, domain: DomainId, run: Instant): string {
  return `slabs/v1/${dataset}/${domain}/${runName(run)}/`
}

/** The key is a hash of the inputs: another edition of the file, other wants or another resolution give another key. */
function slabKey(dataset: GridDataset, domain: DomainId, run: Instant, file: PlannedFile, resolution: number): string {
  const edition = file.etag ?? [file.size, file.modified]
  const inputs = [CHECKS, file.url, edition, resolution, dataset.wants]
  const hash = createHash('sha256').update(JSON.stringify(inputs))
  const lead = String(file.leadHours).padStart(3, '0')
  return `${slabPrefix(dataset.id, domain, run)}f${lead}-${hash.digest('hex').slice(0, 12)}`
}

/**
 * One upstream file → slabs of our cells, in every requested domain. Slabs that are stored already are not fetched again.
 * @throws Fault NotYet, Corrupt or Refused as {@link fetchFile}; Corrupt where nothing of it can be used
 */
export async function sampleFile(
  ports: SamplePorts,
  dataset: GridDataset,
  run: Instant,
  file: PlannedFile,
  domains: readonly DomainId[],
  options: FileOptions = {},
): Promise<Receipt[]> {
  const receipts = new Map<DomainId, Receipt>()
  for (const domain of domains) {
    const stored = await receiptOf(ports, dataset, run, file, domain)
    if (stored) receipts.set(domain, stored)
  }
  const rest = domains.filter((domain) => !receipts.has(domain))
  if (rest.length > 0) {
    const known = await corruptNote(ports, dataset, domains[0]!, run, file)
    if (known && !options.lenient) throw new Fault('Corrupt', known, { url: file.url, etag: file.etag, known: true })
    const fetched = await inPart('fetch', { 'url.full': file.url }, () =>
      fetchWithRetry(ports, dataset, domains[0]!, run, file, options),
    ).catch(async (error: unknown) => {
      if (isFault(error, 'NotYet'))
        await ports.slabs.put(earlyKey(ports, dataset, domains[0]!, run, file), new Uint8Array([10]))
      throw error
    })
    try {
      for (const domain of rest) {
        const sampleOf = (some: FetchedFile) =>
          inPart('sample', { 'hexcast.domain': domain }, () =>
            sampleDomain(ports, dataset, domain, run, file, some, options),
          )
        let made = await sampleOf(fetched)
        let read = fetched
        // Corruption in transit may show in the values only.
        if (missingRequired(dataset, made.receipt) && !options.lenient) {
          read = await fetchFile(ports.upstream, dataset, domains[0]!, run, file, { ...options, memory: undefined })
          made = await sampleOf(read)
        }
        await recordLost(ports, dataset, read, made.receipt)
        receipts.set(domain, await keep(ports, made))
      }
    } finally {
      discardFile(fetched, options.memory)
    }
  }
  return domains.map((domain) => receipts.get(domain)!)
}

/** Of these files the ones that were not sampled yet in every domain, and not found corrupt: by the names of what is stored. */
export async function unsampled(
  { slabs, resolution }: Pick<SamplePorts, 'resolution'> & { readonly slabs: Pick<Objects, 'list'> },
  dataset: GridDataset,
  run: Instant,
  files: readonly PlannedFile[],
  domains: readonly DomainId[],
): Promise<readonly PlannedFile[]> {
  const stored = new Set<string>()
  if (files.length > 0)
    for (const domain of domains)
      for await (const { key } of slabs.list(slabPrefix(dataset.id, domain, run))) stored.add(key)
  return files.filter((file) => {
    const names = domains.map((domain) => slabKey(dataset, domain, run, file, resolution))
    return !stored.has(`${names[0]}.corrupt`) && !names.every((name) => stored.has(`${name}.json`))
  })
}

/** JSON has no NaN: a receipt has null for an undefined value. */
function readReceipt(json: string): Receipt {
  const receipt = JSON.parse(json) as Receipt
  const slabs = receipt.slabs.map((slab) => ({
    ...slab,
    min: slab.min ?? Number.NaN,
    max: slab.max ?? Number.NaN,
    mean: slab.mean ?? Number.NaN,
    roughness: slab.roughness ?? Number.NaN,
    mirrored: slab.mirrored ?? Number.NaN,
  }))
  return { ...receipt, slabs }
}

/** The receipt of a file that was sampled before. */
export async function receiptOf(
  ports: Pick<SamplePorts, 'slabs' | 'resolution'>,
  dataset: GridDataset,
  run: Instant,
  file: PlannedFile,
  domain: DomainId,
): Promise<Receipt | undefined> {
  const key = receiptKey(`${slabKey(dataset, domain, run, file, ports.resolution)}.slab`)
  try {
    return readReceipt(new TextDecoder().decode(await ports.slabs.get(key)))
  } catch (error) {
    if (isFault(error, 'Missing') || error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * Bytes may be corrupted in transit: a corrupt file is read once more before it is reported, and then not again until its ETag changes.
 */
async function fetchWithRetry(
  ports: SamplePorts,
  ...[dataset, domain, run, file, options]: ParametersAfterFirst<typeof fetchFile>
): Promise<FetchedFile> {
  try {
    return await fetchAnywhere(ports.upstream, dataset, domain, run, file, options)
  } catch (error) {
    if (isRedirected(error)) {
      const { message: detail } = error
      const of = { dataset: dataset.id, domain, run, leadHours: file.leadHours, url: file.url }
      await ports.quarantine?.({ ...of, reason: 'status', detail })
    }
    if (!isFault(error, 'Corrupt')) throw error
  }
  try {
    return await fetchFile(ports.upstream, dataset, domain, run, file, options)
  } catch (error) {
    if (!isFault(error, 'Corrupt')) throw error
    const { bytes } = error.details
    await ports.quarantine?.({
      dataset: dataset.id,
      domain,
      run,
      leadHours: file.leadHours,
      reason: reasonOf(error),
      detail: error.message,
      url: file.url,
      bytes: bytes instanceof Uint8Array ? bytes : undefined,
    })
    if (file.etag) {
      const note = new TextEncoder().encode(JSON.stringify({ url: file.url, etag: file.etag, reason: error.message }))
      await ports.slabs.put(corruptKey(ports, dataset, domain, run, file), note)
    }
    throw error
  }
}

/** Time that an address of a bucket that has others may take for a file, ms. */
const FILE_MS = 60_000

/**
 * From the address where the file was listed; where that refuses, is silent or slow, or did so within two minutes, from the others of its
 * bucket.
 */
async function fetchAnywhere(...[upstream, dataset, domain, run, file, options]: Parameters<typeof fetchFile>) {
  const { buckets } = upstream
  const bucket = buckets.bucketOf(file.url)
  const own = bucket && buckets.addressesOf(bucket, 'objects').find((address) => file.url.startsWith(`${address}/`))
  if (!bucket || !own) return fetchFile(upstream, dataset, domain, run, file, options)
  const at = (address: string): PlannedFile => {
    if (address === own) return file
    const there = (url: string) => address + url.slice(own.length)
    // Another store has other ETags.
    return { ...file, url: there(file.url), indexUrl: file.indexUrl && there(file.indexUrl), etag: undefined }
  }
  let failure: unknown
  for (const address of buckets.addressesOf(bucket, 'objects', own)) {
    const limit = AbortSignal.timeout(FILE_MS)
    const signal = options?.signal ? AbortSignal.any([options.signal, limit]) : limit
    try {
      const fetched = await fetchFile(upstream, dataset, domain, run, at(address), { ...options, signal })
      buckets.answered(bucket, address, 'objects')
      return fetched
    } catch (error) {
      // A copy that does not have the file yet is no fault.
      const absent = address !== own && isFault(error, 'NotYet')
      if (options?.signal?.aborted || !(limit.aborted || absent || isFault(error, 'Refused'))) throw error
      failure = address === own ? error : (failure ?? error)
      if (!absent) buckets.failed(address, 'objects', error instanceof Error ? error.message : String(error))
    }
  }
  if (isFault(failure)) throw failure
  throw new Fault('Refused', `${file.url}: wanted its messages within ${FILE_MS / 1000} s`, { url: file.url })
}

/** Puts what a receipt has lost into quarantine, with the bytes of each message as they came. */
async function recordLost(
  ports: SamplePorts,
  declared: GridDataset,
  fetched: FetchedFile,
  receipt: Receipt,
): Promise<void> {
  if (!ports.quarantine) return
  const { dataset, domain, run, leadHours, url, missing, absent } = receipt
  const of = { dataset, domain, run, leadHours, url }
  if (fetched.oddIndex) await ports.quarantine({ ...of, ...fetched.oddIndex })
  for (const { variable, reason, detail, from } of missing) {
    const lost = fetched.lost.find(({ want }) => wantedVariables(want).includes(variable))
    const sampled = fetched.wants
      .flatMap(({ messages }) => Object.values(messages))
      .find((message) => message.from === from)
    await ports.quarantine({ ...of, variable, reason, detail, bytes: lost?.bytes ?? sampled?.bytes })
  }
  const required = new Set(declared.wants.filter(({ optional }) => !optional).flatMap(wantedVariables))
  for (const variable of absent.filter((name) => required.has(name))) {
    await ports.quarantine({
      ...of,
      variable,
      reason: 'absent',
      detail: `${url}: wanted ${variable}, got a file without it`,
    })
  }
}

type ParametersAfterFirst<F extends (first: never, ...rest: never[]) => unknown> = F extends (
  first: never,
  ...rest: infer R
) => unknown
  ? R
  : never

function corruptKey(
  ports: Pick<SamplePorts, 'slabs' | 'resolution'>,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  file: PlannedFile,
): string {
  return `${slabKey(dataset, domain, run, file, ports.resolution)}.corrupt`
}

function earlyKey(...of: Parameters<typeof corruptKey>): string {
  return corruptKey(...of).replace(/\.corrupt$/, '.early')
}

/** Whether this edition of a file was asked for, and was listed but not there. */
export async function isEarly(...of: Parameters<typeof corruptKey>): Promise<boolean> {
  return (await of[0].slabs.size(earlyKey(...of))) !== undefined
}

/** Why this edition of a file was found corrupt; undefined where it was not. */
export async function corruptNote(
  ports: Pick<SamplePorts, 'slabs' | 'resolution'>,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  file: PlannedFile,
): Promise<string | undefined> {
  if (!file.etag) return undefined
  const note = await ports.slabs.get(corruptKey(ports, dataset, domain, run, file)).catch((error: unknown) => {
    if (isFault(error, 'Missing')) return undefined
    throw error
  })
  return note && (JSON.parse(new TextDecoder().decode(note)) as { reason: string }).reason
}

interface Made {
  readonly receipt: Receipt
  readonly bytes: Uint8Array | undefined
}

/** The slab first: a receipt implies that it exists. */
async function keep({ slabs }: SamplePorts, { receipt, bytes }: Made): Promise<Receipt> {
  if (bytes) {
    await slabs.put(receipt.slabKey, bytes)
    discard(bytes)
  }
  await slabs.put(receiptKey(receipt.slabKey), new TextEncoder().encode(JSON.stringify(receipt)))
  return receipt
}

/** The key of a slab's receipt: beside it. */
export function receiptKey(slabKey: string): string {
  return slabKey.replace(/\.slab$/, '.json')
}

async function sampleDomain(
  ports: SamplePorts,
  dataset: GridDataset,
  domainId: DomainId,
  run: Instant,
  file: PlannedFile,
  fetched: FetchedFile,
  { lenient }: FileOptions,
): Promise<Made> {
  const domain = dataset.domains.find(({ id }) => id === domainId)
  if (!domain) throw new Fault('Invalid', `${dataset.id}: wanted one of its domains, got ${domainId}`)
  const missing: Lost[] = fetched.lost.flatMap(({ want, reason, detail, from }) =>
    wantedVariables(want).map((variable) => ({ variable, reason, detail, from })),
  )
  let { sampled, used } = await samplePlausible(ports, dataset, domain, run, file, fetched.wants, missing)
  if (sampled && sampled.share < MIN_CELL_SHARE && !lenient) {
    const detail = `wanted a grid of ${domainId}, got one with ${(sampled.share * 100).toFixed(1)} % of its cells`
    const lost = { reason: 'grid', detail } as const
    missing.push(...used.flatMap(({ want }) => wantedVariables(want)).map((variable) => ({ variable, ...lost })))
    sampled = undefined
    used = []
  }
  const slab = slabKey(dataset, domainId, run, file, ports.resolution)
  const receipt: Receipt = {
    dataset: dataset.id,
    domain: domainId,
    run,
    leadHours: file.leadHours,
    url: file.url,
    etag: file.etag,
    slabKey: `${slab}.slab`,
    cells: sampled?.cells,
    wanted: fetched.promised,
    got: new Set(used.flatMap(({ messages }) => Object.values(messages).map(({ from, field }) => `${from}.${field}`)))
      .size,
    missing,
    absent: fetched.absent,
    slabs: sampled?.slabs ?? [],
    fetchedBytes: fetched.bytes,
  }
  return { receipt, bytes: sampled?.bytes }
}
