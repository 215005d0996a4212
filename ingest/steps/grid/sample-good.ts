import type { Domain, GridDataset } from '../../domain/dataset/dataset.ts'
import { wantedVariables } from '../../domain/dataset/want.ts'
import { isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { type Lost, reasonOf } from '../../domain/quarantine.ts'
import { HOUR, type Instant } from '../../domain/time.ts'
import type { FetchedMessage, FetchedWant } from './fetch-file.ts'
import type { PlannedFile } from './plan.ts'
import type { SamplePorts } from './receipt.ts'
import { sampleMessages } from './sample-field.ts'
import type { FieldMessage, SampledFile, SampleItem } from './sample-request.ts'
import { implausibility, mostCommon } from './validate.ts'

/** Samples the plausible messages. The other messages are left out and named in `missing`. */
export async function samplePlausible(
  ports: SamplePorts,
  dataset: GridDataset,
  domain: Domain,
  run: Instant,
  file: PlannedFile,
  wants: readonly FetchedWant[],
  missing: Lost[],
): Promise<{ sampled: SampledFile | undefined; used: readonly FetchedWant[] }> {
  const once = (some: readonly FetchedWant[]) =>
    sampleMessages(ports.pool, {
      dataset: dataset.id,
      domain,
      run,
      items: some.map((entry) => itemOf(entry, run + file.leadHours * HOUR, file.url)),
      resolution: ports.resolution,
      cacheDir: ports.cacheDir,
    })
  let good = wants
  while (good.length > 0) {
    let sampled: SampledFile
    try {
      sampled = await once(good)
    } catch (error) {
      if (!isFault(error, 'Corrupt')) throw error
      const read = await readable(good, once, missing)
      // Each message can be read separately and all have the same cells, so the messages are not the cause of the
      // fault.
      if (read.length === good.length && good.every((entry, k) => entry === read[k])) throw error
      const lost = good.filter(({ want }) => !read.some((entry) => entry.want === want))
      good = withoutWeights(read, lost)
      continue
    }
    const required = new Set(good.filter(({ want }) => !want.optional).flatMap(({ want }) => wantedVariables(want)))
    const doubts = new Map(
      sampled.slabs.map((slab) => [slab.variable, implausibility(slab, required.has(slab.variable))]),
    )
    const bad = good.filter(({ want }) => wantedVariables(want).some((name) => doubts.get(name)))
    if (bad.length === 0) return { sampled, used: good }
    const retried = withoutWeights(good, bad)
    for (const { want, messages } of bad) {
      if (retried.some((entry) => entry.want === want)) continue
      const names = wantedVariables(want)
      const doubt = names.map((name) => doubts.get(name)).find((candidate) => candidate !== undefined)!
      const { from } = nth(Object.values(messages), 0)
      for (const variable of names) missing.push({ variable, from, ...(doubts.get(variable) ?? doubt) })
    }
    good = retried
  }
  return { sampled: undefined, used: [] }
}

/**
 * Returns the wants without bad messages. A bad or unreadable message is not used as the weight of a direction; a
 * direction that failed with its weight is tried again without it.
 */
function withoutWeights(good: readonly FetchedWant[], bad: readonly FetchedWant[]): FetchedWant[] {
  const weights = new Set(bad.flatMap(({ want, messages }) => (want.kind === 'scalar' ? messages.message!.from : [])))
  return good.flatMap((entry) => {
    const { want, messages } = entry
    const weighted =
      want.kind === 'direction' && messages.speed && (weights.has(messages.speed.from) || bad.includes(entry))
    if (weighted) return [{ want, messages: { message: messages.message! } }]
    return bad.includes(entry) ? [] : [entry]
  })
}

/** Returns the messages that can be read and have the most frequent grid. */
async function readable(
  wants: readonly FetchedWant[],
  once: (some: readonly FetchedWant[]) => Promise<SampledFile>,
  missing: Lost[],
): Promise<FetchedWant[]> {
  const lose = ({ want, messages }: FetchedWant, reason: Lost['reason'], detail: string) => {
    const { from } = nth(Object.values(messages), 0)
    missing.push(...wantedVariables(want).map((variable) => ({ variable, reason, detail, from })))
  }
  const read = new Map<FetchedWant, number>()
  for (const entry of wants) {
    const { want, messages } = entry
    const alone = want.kind === 'direction' && messages.speed && { want, messages: { message: messages.message! } }
    // A direction can be sampled without the speed that weights it.
    for (const some of alone ? [entry, alone] : [entry]) {
      try {
        read.set(some, (await once([some])).cells)
        break
      } catch (error) {
        if (!isFault(error, 'Corrupt')) throw error
        if (some === (alone || entry)) lose(entry, reasonOf(error), error.message)
      }
    }
  }
  const usual = mostCommon(read.values())
  const good: FetchedWant[] = []
  for (const [entry, cells] of read) {
    if (cells === usual) good.push(entry)
    else lose(entry, 'grid', `its grid must have ${usual} cells like the other fields in the file, but has ${cells}`)
  }
  return good
}

const addressOf = ({ from, bytes, number }: FetchedMessage) => ({ from, length: bytes.length, number })

function itemOf({ want, messages }: FetchedWant, time: Instant, url: string): SampleItem {
  const copy = (message: FetchedMessage): FieldMessage => ({
    // An unshared buffer is transferred; shared memory is read in place.
    bytes: message.bytes.buffer instanceof SharedArrayBuffer ? message.bytes : message.bytes.slice(),
    field: message.field,
    source: { url, ...addressOf(message) },
  })
  if (want.kind === 'wind') {
    const { speed, direction } = want
    const u = copy(messages.u!)
    const source = { ...u.source!, v: addressOf(messages.v!) }
    return { kind: 'wind', time, speed, direction, u: { ...u, source }, v: copy(messages.v!) }
  }
  const { variable } = want
  if (want.kind === 'direction') {
    const speed = messages.speed && copy(messages.speed)
    return { kind: 'direction', time, variable, message: copy(messages.message!), speed }
  }
  const { scale, offset, missing, members } = want
  return { kind: 'scalar', time, variable, message: copy(messages.message!), scale, offset, missing, members }
}
