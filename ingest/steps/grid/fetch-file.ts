import type { GridDataset } from '../../domain/dataset/dataset.ts'
import { matchesOf, roleIsOptional, type Want, wantedVariables } from '../../domain/dataset/want.ts'
import { discard } from '../../domain/discard.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { entryOf } from '../../domain/nth.ts'
import { type Lost, type Quarantined, reasonOf } from '../../domain/quarantine.ts'
import type { Instant } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { checkMessage, type Expected, type FetchedMessage } from './check-message.ts'
import { cut, type FetchedRange, fetchRanges } from './fetch-ranges.ts'
import type { MessageMemory } from './message-memory.ts'
import type { PlannedFile } from './plan.ts'
import { applies, type DoubledMessage, type FileOptions, type FilePlan, planFile } from './plan-file.ts'
import { walkFile } from './walk-file.ts'

export type { FetchedMessage } from './check-message.ts'

export interface FetchedWant {
  readonly want: Want
  readonly messages: Readonly<Record<string, FetchedMessage>>
}

/** A want whose message does not match the declarations of the dataset, with the received bytes. */
export interface LostWant extends Omit<Lost, 'variable'> {
  readonly want: Want
  readonly bytes?: Uint8Array
  /** Whether the message may be at a different place than the index says. */
  readonly displaced?: boolean
}

export interface FetchedFile {
  readonly wants: readonly FetchedWant[]
  /** Number of messages for our wants that the index lists or that a walk of the file located. */
  readonly promised: number
  readonly bytes: number
  /** Variables that the file does not offer. */
  readonly absent: readonly string[]
  /** Wants whose messages are in the file but cannot be used; each want is judged separately. */
  readonly lost: readonly LostWant[]
  /** The ranges of the messages. */
  readonly shared?: SharedArrayBuffer
  /** Variables whose message is in the file more than once. */
  readonly doubled: readonly DoubledMessage[]
  /** Why the index is considered wrong, if a walk located messages without it. */
  readonly oddIndex?: Pick<Quarantined, 'reason' | 'detail'>
}

/**
 * Fetches the messages of our wants from an upstream file: reads its index, fetches the ranges, and checks each message. Where the index
 * is absent or does not describe the file, the file is walked by the lengths of its messages.
 * @throws Fault NotYet (absent, or changed since it was listed), Corrupt (nothing in the file can be used, with `reason`), Refused
 */
export async function fetchFile(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  file: PlannedFile,
  options: FileOptions = {},
): Promise<FetchedFile> {
  const expected: Expected = { dataset, domain, run, file, mirrored: upstream.mirror !== undefined, options }
  const wants = dataset.wants.filter((want) => applies(want, domain, run, file.leadHours))
  let plan: FilePlan | undefined
  let indexFault: Fault | undefined
  try {
    plan = await planFile(upstream, dataset, domain, run, file, options)
  } catch (error) {
    const isAbsent = isFault(error, 'NotYet') && !error.details['changed']
    if (!isAbsent && !isFault(error, 'Corrupt')) throw error
    indexFault = error
  }
  if (!plan) {
    const walked = await fetchWalked(upstream, expected, wants, indexFault)
    return checked(file, {
      ...walked,
      ...(indexFault && { oddIndex: { reason: 'index', detail: indexFault.message } }),
    })
  }
  const listed = await fetchPlanned(upstream, expected, plan, options)
  try {
    const doubt = doubtOf(plan, listed)
    return checked(file, doubt ? await completed(upstream, expected, wants, listed, doubt) : listed)
  } catch (error) {
    if (listed.shared) options.memory?.give(listed.shared)
    throw error
  }
}

/** Fetches the messages of a plan and checks each. */
async function fetchPlanned(
  upstream: Upstream,
  expected: Expected,
  plan: FilePlan,
  options: FileOptions,
): Promise<FetchedFile> {
  const { ranges, shared } = await fetchRanges(upstream, expected.file, plan.ranges, options)
  try {
    return { ...pick(expected, plan, ranges), shared }
  } catch (error) {
    if (shared) options.memory?.give(shared)
    throw error
  }
}

/** Fetches the messages of wants without an index. @throws the fault of the index if the size of the file is unknown */
async function fetchWalked(
  upstream: Upstream,
  expected: Expected,
  wants: readonly Want[],
  indexFault?: Fault,
): Promise<FetchedFile> {
  const { file, options } = expected
  const size = file.size ?? (await upstream.head(file.url, { signal: options.signal }))?.size
  if (size === undefined)
    throw indexFault ?? new Fault('NotYet', `${file.url}: neither its index nor its size is known`, { url: file.url })
  const plan = await walkFile(upstream, expected, wants, size)
  // Shared buffers are only for files with an index, the usual case.
  const fetched = await fetchRanges(upstream, file, plan.ranges, { ...options, memory: undefined })
  const picked = pick(expected, plan, fetched.ranges)
  const broken = plan.broken.map(({ want, detail, message }): LostWant => {
    const bytes = message && cut(fetched.ranges, message, file.url)
    return { want, reason: 'format', detail, from: message?.offset, bytes }
  })
  return { ...picked, lost: [...picked.lost, ...broken] }
}

/** Looks for the wants that the index does not lead to. A want that is not located stays lost or absent. */
async function completed(
  upstream: Upstream,
  expected: Expected,
  wants: readonly Want[],
  listed: FetchedFile,
  doubt: string,
): Promise<FetchedFile> {
  const isUsable = (want: Want) => listed.wants.some((usable) => usable.want === want)
  const isBroken = (want: Want) => listed.lost.some((lost) => lost.want === want && !lost.displaced)
  const missing = wants.filter((want) => !isUsable(want) && !isBroken(want))
  let walked: FetchedFile
  try {
    walked = await fetchWalked(upstream, expected, missing)
  } catch (error) {
    if (!isFault(error, 'Corrupt')) throw error
    return listed
  }
  const isLocated = (want: Want) => walked.wants.some((usable) => usable.want === want)
  const wasLost = (want: Want) => listed.lost.some((lost) => lost.want === want)
  const lost = [
    ...listed.lost.filter(({ want }) => !isLocated(want)),
    ...walked.lost.filter(({ want }) => !wasLost(want)),
  ]
  const lostNames = new Set(lost.flatMap(({ want }) => wantedVariables(want)))
  return {
    wants: [...listed.wants, ...walked.wants],
    promised: listed.promised + walked.wants.reduce((sum, { messages }) => sum + Object.keys(messages).length, 0),
    bytes: listed.bytes + walked.bytes,
    absent: walked.absent.filter((name) => !lostNames.has(name)),
    lost,
    doubled: [...listed.doubled, ...walked.doubled],
    shared: listed.shared,
    ...(walked.wants.length > 0 && { oddIndex: { reason: 'index', detail: doubt } }),
  }
}

/** Returns why the index may not describe the file, if that may have cost a want. */
function doubtOf(plan: FilePlan, { wants, lost, absent }: FetchedFile): string | undefined {
  const displaced = lost.find((loss) => loss.displaced)
  if (displaced) return displaced.detail
  if (absent.length === 0) return undefined
  const followed = wants.flatMap(({ messages }) => Object.values(messages)).find(({ isFollowed }) => isFollowed)
  return plan.doubt ?? (followed && `the index does not list the message that follows byte ${followed.from}`)
}

/** Checks the messages in the ranges. */
function pick(expected: Expected, plan: FilePlan, ranges: readonly FetchedRange[]): FetchedFile {
  const { file } = expected
  const wants: FetchedWant[] = []
  const lost: LostWant[] = []
  for (const { want, messages } of plan.wants) {
    const matches = matchesOf(want)
    const fetched: Record<string, FetchedMessage> = {}
    let bytes: Uint8Array | undefined
    let from: number | undefined
    try {
      for (const [role, message] of Object.entries(messages)) {
        try {
          const own = cut(ranges, message, file.url)
          if (!roleIsOptional(want, role)) [from, bytes] = [message.offset, own]
          fetched[role] = checkMessage(expected, want, entryOf(matches, role), message, own)
        } catch (error) {
          // The variable that this message fills is lost; a variable that uses the message only as a weight is not.
          if (!isFault(error, 'Corrupt') || !roleIsOptional(want, role)) throw error
        }
      }
      wants.push({ want, messages: fetched })
    } catch (error) {
      if (!isFault(error, 'Corrupt')) throw error
      const displaced = error.details['displaced'] === true
      lost.push({ want, reason: reasonOf(error), detail: error.message, from, bytes, displaced })
    }
  }
  return {
    wants,
    promised: new Set(plan.wants.flatMap(({ messages }) => Object.values(messages).map(({ number }) => number))).size,
    bytes: ranges.reduce((sum, range) => sum + range.bytes.length, 0),
    absent: plan.absent,
    lost,
    doubled: plan.doubled,
  }
}

/** Releases the memory of the messages after they have been sampled and losses recorded. */
export function discardFile({ wants, lost, shared }: FetchedFile, memory?: MessageMemory): void {
  if (shared) memory?.give(shared)
  for (const { messages } of wants) for (const { bytes } of Object.values(messages)) discard(bytes)
  for (const { bytes } of lost) if (bytes) discard(bytes)
}

/** @throws Fault Corrupt if the file has messages for our wants and none can be used */
function checked(file: PlannedFile, fetched: FetchedFile): FetchedFile {
  const [first] = fetched.lost
  if (fetched.wants.length > 0 || !first) return fetched
  throw new Fault('Corrupt', first.detail, { url: file.url, reason: first.reason, bytes: first.bytes?.slice() })
}
