import { createHash } from 'node:crypto'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import { wantedVariables } from '../../domain/dataset/want.ts'
import { discard } from '../../domain/discard.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { type Lost, reasonOf } from '../../domain/quarantine.ts'
import { type Instant, runName } from '../../domain/time.ts'
import type { Objects } from '../../ports/objects.ts'
import { inPart } from '../../ports/trace.ts'
import { ENCODER_VERSION } from '../../tile/key.ts'
import { slabCheck } from '../../tile/slab.ts'
import { discardFile, type FetchedFile, fetchFile } from './fetch-file.ts'
import type { PlannedFile } from './plan.ts'
import type { FileOptions } from './plan-file.ts'
import { type Receipt, receiptKey, type SamplePorts } from './receipt.ts'
import { samplePlausible } from './sample-good.ts'
import { missingRequired } from './validate.ts'

/**
 * A grid that contains a smaller share of a domain's cells belongs to another domain. NOAA's grids contain all cells of
 * their domain, except for a third of the cells of Hawaii's outer islands.
 */
const MIN_CELL_SHARE = 0.5

/** Key prefix of a run's slabs while the run is being built. */
export function slabPrefix(dataset: string, domain: DomainId, run: Instant): string {
  return `slabs/v1/${dataset}/${domain}/${runName(run)}/`
}

/** What the key of a slab depends on, besides the file and the dataset. */
type KeyPorts = Pick<SamplePorts, 'resolution' | 'encoder'>

/**
 * Returns the beginning of the keys of a slab and its receipt: a hash of the inputs, which include the code, the edition
 * of the file, the wants and the resolution.
 */
function slabKey(
  { resolution, encoder = ENCODER_VERSION }: KeyPorts,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  file: PlannedFile,
): string {
  const edition = file.etag ?? [file.size, file.modified]
  const inputs = [encoder, file.url, edition, resolution, dataset.wants]
  const hash = createHash('sha256').update(JSON.stringify(inputs))
  const lead = String(file.leadHours).padStart(3, '0')
  return `${slabPrefix(dataset.id, domain, run)}f${lead}-${hash.digest('hex').slice(0, 12)}`
}

/**
 * Samples an upstream file to slabs of our cells in every requested domain. Stored slabs are not fetched again.
 * @throws Fault NotYet, Corrupt or Refused as {@link fetchFile}; Corrupt if nothing in the file can be used
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
  const remaining = domains.filter((domain) => !receipts.has(domain))
  if (remaining.length > 0) {
    const known = options.lenient ? undefined : await lostNote(ports, dataset, nth(domains, 0), run, file)
    if (known) throw new Fault('NotYet', known.reason, { url: file.url, known: true })
    const fetched = await inPart('fetch', { 'url.full': file.url }, () =>
      fetchWithRetry(ports, dataset, nth(domains, 0), run, file, options),
    )
    try {
      for (const domain of remaining) {
        const sampleOf = (some: FetchedFile) =>
          inPart('sample', { 'hexcast.domain': domain }, () =>
            sampleDomain(ports, dataset, domain, run, file, some, options),
          )
        let sampled = await sampleOf(fetched)
        let read = fetched
        // Corruption in transit may be visible only in the values, so the file is fetched once more.
        if (missingRequired(dataset, sampled.receipt) && !options.lenient) {
          read = await fetchFile(ports.upstream, dataset, nth(domains, 0), run, file, { ...options, memory: undefined })
          sampled = await sampleOf(read)
        }
        await recordLost(ports, dataset, read, sampled.receipt)
        receipts.set(domain, await keep(ports, sampled))
      }
    } finally {
      discardFile(fetched, options.memory)
    }
  }
  return domains.map((domain) => receipts.get(domain)!)
}

type NotePorts = KeyPorts & Pick<SamplePorts, 'clock'> & { readonly slabs: Pick<Objects, 'get' | 'list'> }

/** Returns the files that are neither sampled in every domain nor recorded as lost, according to the names of stored objects. */
export async function unsampled(
  ports: NotePorts,
  dataset: GridDataset,
  run: Instant,
  files: readonly PlannedFile[],
  domains: readonly DomainId[],
): Promise<readonly PlannedFile[]> {
  if (files.length === 0) return files
  const { slabs } = ports
  const stored = new Set<string>()
  for (const domain of domains)
    for await (const { key } of slabs.list(slabPrefix(dataset.id, domain, run))) stored.add(key)
  const lost = await lostFiles(ports, dataset, run, files, nth(domains, 0))
  return files.filter((file) => {
    const names = domains.map((domain) => slabKey(ports, dataset, domain, run, file))
    return !lost.has(file) && !names.every((name) => stored.has(`${name}.json`))
  })
}

/** Returns the files that were requested and could not be used, with the reason, until they are requested again. */
export async function lostFiles(
  ports: NotePorts,
  dataset: GridDataset,
  run: Instant,
  files: readonly PlannedFile[],
  domain: DomainId,
): Promise<ReadonlyMap<PlannedFile, string>> {
  const noted = new Set<string>()
  for await (const { key } of ports.slabs.list(slabPrefix(dataset.id, domain, run)))
    if (key.endsWith('.lost')) noted.add(key)
  const lost = new Map<PlannedFile, string>()
  if (noted.size === 0) return lost
  for (const file of files) {
    if (!noted.has(lostKey(ports, dataset, domain, run, file))) continue
    const note = await lostNote(ports, dataset, domain, run, file)
    if (note) lost.set(file, note.reason)
  }
  return lost
}

/** Returns when the last lost file of a run is requested again; undefined if none was lost. It changes with each attempt. */
export async function lostUntil(
  slabs: Pick<Objects, 'get' | 'list'>,
  dataset: string,
  domain: DomainId,
  run: Instant,
): Promise<Instant | undefined> {
  let until: Instant | undefined
  for await (const { key } of slabs.list(slabPrefix(dataset, domain, run))) {
    if (!key.endsWith('.lost')) continue
    const { again } = JSON.parse(new TextDecoder().decode(await slabs.get(key))) as LostNote
    until = Math.max(until ?? again, again)
  }
  return until
}

/** JSON has no NaN, so a receipt has null for an undefined value. */
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

/** Returns the receipt of a file that was sampled before. */
export async function receiptOf(
  ports: KeyPorts & Pick<SamplePorts, 'slabs'>,
  dataset: GridDataset,
  run: Instant,
  file: PlannedFile,
  domain: DomainId,
): Promise<Receipt | undefined> {
  const key = `${slabKey(ports, dataset, domain, run, file)}.json`
  try {
    return readReceipt(new TextDecoder().decode(await ports.slabs.get(key)))
  } catch (error) {
    if (isFault(error, 'Missing') || error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * Reads a file. A corrupt file is read once more before it is recorded as lost, because bytes may be corrupted in
 * transit. A lost file is requested again after a while, or when its edition changes.
 * @throws Fault Corrupt; NotYet if the file was not delivered
 */
async function fetchWithRetry(
  ports: SamplePorts,
  ...[dataset, domain, run, file, options = {}]: ParametersAfterFirst<typeof fetchFile>
): Promise<FetchedFile> {
  const origin = { dataset: dataset.id, domain, run, leadHours: file.leadHours, url: file.url }
  const note = (reason: string, pause: number) =>
    ports.slabs.put(
      lostKey(ports, dataset, domain, run, file),
      new TextEncoder().encode(JSON.stringify({ reason, again: nowOf(ports) + pause } satisfies LostNote)),
    )
  const limit = AbortSignal.timeout(ports.fileMs ?? FILE_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  const once = () => fetchAnywhere(ports.upstream, dataset, domain, run, file, { ...options, signal })
  try {
    return await once().catch((error: unknown) => {
      if (!isFault(error, 'Corrupt')) throw error
      return once()
    })
  } catch (error) {
    const own = isFault(error) ? error.details['closed'] : !limit.aborted
    if (options.signal?.aborted || own) throw error
    if (!limit.aborted && isFault(error, 'Corrupt')) {
      const { bytes } = error.details
      const received = bytes instanceof Uint8Array ? bytes : undefined
      await ports.quarantine?.({ ...origin, reason: reasonOf(error), detail: error.message, bytes: received })
      await note(error.message, CORRUPT_AGAIN_MS)
      throw error
    }
    const why = isFault(error) ? error.message : `${file.url}: its messages were incomplete after ${FILE_MS / 1000} s`
    const changed = isFault(error) && error.details['changed']
    if (!changed) await ports.quarantine?.({ ...origin, reason: 'status', detail: why })
    await note(why, AGAIN_MS)
    throw new Fault('NotYet', why, { url: file.url, ...(changed ? { changed } : {}) }, error)
  }
}

/** Time that a file may take with all retries and addresses, ms. It limits the delay of a run by an undelivered file. */
const FILE_MS = 120_000
/** Time that an address may take for a file if its bucket has other addresses, ms. */
const ADDRESS_MS = 60_000
/** Pauses before a file that was not delivered or is corrupt (such as an HTML page) is requested again, ms. */
const AGAIN_MS = 120_000
const CORRUPT_AGAIN_MS = 600_000

/**
 * Fetches a file from the address that listed it. If that address refuses, does not answer or is slow, or did so within
 * the last two minutes, the other addresses of the bucket are tried.
 */
async function fetchAnywhere(...[upstream, dataset, domain, run, file, options]: Parameters<typeof fetchFile>) {
  const { buckets } = upstream
  const bucket = buckets.bucketOf(file.url)
  const own = bucket && buckets.addressesOf(bucket, 'objects').find((address) => file.url.startsWith(`${address}/`))
  if (!bucket || !own) return fetchFile(upstream, dataset, domain, run, file, options)
  const at = (address: string): PlannedFile => {
    if (address === own) return file
    const there = (url: string) => address + url.slice(own.length)
    // Another store has different ETags.
    return { ...file, url: there(file.url), indexUrl: file.indexUrl && there(file.indexUrl), etag: undefined }
  }
  let failure: unknown
  for (const address of buckets.addressesOf(bucket, 'objects', own)) {
    const limit = AbortSignal.timeout(ADDRESS_MS)
    const signal = options?.signal ? AbortSignal.any([options.signal, limit]) : limit
    try {
      const fetched = await fetchFile(upstream, dataset, domain, run, at(address), { ...options, signal })
      buckets.answered(bucket, address, 'objects')
      return fetched
    } catch (error) {
      // An address without the file is not at fault.
      const absent = address !== own && isFault(error, 'NotYet')
      if (options?.signal?.aborted || !(limit.aborted || absent || isFault(error, 'Refused'))) throw error
      failure = address === own ? error : (failure ?? error)
      if (!absent) buckets.failed(address, 'objects', error instanceof Error ? error.message : String(error))
    }
  }
  if (isFault(failure)) throw failure
  throw new Fault('Refused', `${file.url}: its messages were incomplete after ${ADDRESS_MS / 1000} s`, {
    url: file.url,
  })
}

/** Puts the lost messages of a receipt into quarantine, with the received bytes. */
async function recordLost(
  ports: SamplePorts,
  declared: GridDataset,
  fetched: FetchedFile,
  receipt: Receipt,
): Promise<void> {
  if (!ports.quarantine) return
  const { dataset, domain, run, leadHours, url, missing, absent } = receipt
  const origin = { dataset, domain, run, leadHours, url }
  if (fetched.oddIndex) await ports.quarantine({ ...origin, ...fetched.oddIndex })
  for (const doubled of fetched.doubled) await ports.quarantine({ ...origin, ...doubled, reason: 'doubled' })
  for (const { variable, reason, detail, from } of missing) {
    const lost = fetched.lost.find(({ want }) => wantedVariables(want).includes(variable))
    const sampled = fetched.wants
      .flatMap(({ messages }) => Object.values(messages))
      .find((message) => message.from === from)
    await ports.quarantine({ ...origin, variable, reason, detail, bytes: lost?.bytes ?? sampled?.bytes })
  }
  const required = new Set(declared.wants.filter(({ optional }) => !optional).flatMap(wantedVariables))
  for (const variable of absent.filter((name) => required.has(name))) {
    await ports.quarantine({
      ...origin,
      variable,
      reason: 'absent',
      detail: `${url}: the file lacks ${variable}, which is required`,
    })
  }
}

type ParametersAfterFirst<F extends (first: never, ...rest: never[]) => unknown> = F extends (
  first: never,
  ...rest: infer R
) => unknown
  ? R
  : never

/** Returns the key of the note about a lost file, beside the key of its slab. */
function lostKey(ports: KeyPorts, dataset: GridDataset, domain: DomainId, run: Instant, file: PlannedFile): string {
  return `${slabKey(ports, dataset, domain, run, file)}.lost`
}

const nowOf = ({ clock = Date.now }: Pick<SamplePorts, 'clock'>): Instant => clock()

interface LostNote {
  readonly reason: string
  /** When the file is requested again. */
  readonly again: Instant
}

/** Returns why this edition of a file could not be used; undefined if it was not requested, or if it is due to be requested again. */
async function lostNote(
  ports: KeyPorts & Pick<SamplePorts, 'clock'> & { readonly slabs: Pick<Objects, 'get'> },
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  file: PlannedFile,
): Promise<LostNote | undefined> {
  const bytes = await ports.slabs.get(lostKey(ports, dataset, domain, run, file)).catch((error: unknown) => {
    if (isFault(error, 'Missing')) return undefined
    throw error
  })
  const note = bytes && (JSON.parse(new TextDecoder().decode(bytes)) as LostNote)
  return note && nowOf(ports) < note.again ? note : undefined
}

interface SampledDomain {
  readonly receipt: Receipt
  readonly bytes: Uint8Array | undefined
}

/** Stores the slab, then the receipt, because a receipt implies that its slab exists. */
async function keep({ slabs }: SamplePorts, { receipt, bytes }: SampledDomain): Promise<Receipt> {
  if (bytes) {
    await slabs.put(receipt.slabKey, bytes, { ifAbsent: true })
    discard(bytes)
  }
  await slabs.put(receiptKey(receipt.slabKey), new TextEncoder().encode(JSON.stringify(receipt)))
  return receipt
}

async function sampleDomain(
  ports: SamplePorts,
  dataset: GridDataset,
  domainId: DomainId,
  run: Instant,
  file: PlannedFile,
  fetched: FetchedFile,
  { lenient }: FileOptions,
): Promise<SampledDomain> {
  const domain = dataset.domains.find(({ id }) => id === domainId)
  if (!domain) throw new Fault('Invalid', `${dataset.id} has no domain ${domainId}`)
  const missing: Lost[] = fetched.lost.flatMap(({ want, reason, detail, from }) =>
    wantedVariables(want).map((variable) => ({ variable, reason, detail, from })),
  )
  let { sampled, used } = await samplePlausible(ports, dataset, domain, run, file, fetched.wants, missing)
  if (sampled && sampled.share < MIN_CELL_SHARE && !lenient) {
    const detail = `the grid covers only ${(sampled.share * 100).toFixed(1)} % of the cells of ${domainId}`
    const lost = { reason: 'grid', detail } as const
    missing.push(...used.flatMap(({ want }) => wantedVariables(want)).map((variable) => ({ variable, ...lost })))
    sampled = undefined
    used = []
  }
  const slab = slabKey(ports, dataset, domainId, run, file)
  const receipt: Receipt = {
    dataset: dataset.id,
    domain: domainId,
    run,
    leadHours: file.leadHours,
    url: file.url,
    etag: file.etag,
    // The checksum gives a message that arrived damaged once and whole later another key.
    slabKey: sampled ? `${slab}-${slabCheck(sampled.bytes)}.slab` : `${slab}.slab`,
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
