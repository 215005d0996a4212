import { readGlm } from '../../decode/glm.ts'
import { readLevel3 } from '../../decode/radar/nexrad-l3.ts'
import { readProbSevere } from '../../decode/radar/probsevere.ts'
import type { FrameDataset, MrmsDataset, RadarSiteDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { type Instant, isoSeconds, SECOND } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { faultsOf } from '../frames/check-frame.ts'
import { flashesInView } from '../frames/check-granule.ts'
import { type FrameFile, findFrames } from '../frames/frame.ts'
import { newestScan, readScan } from '../frames/newest-scan.ts'
import { type FrameResult, type FrameTask, makeFrame } from '../frames/work.ts'
import type { Pool } from '../pool-tasks.ts'
import { existingChildren } from './children.ts'
import { type Finding, failed, findingsOf, passed } from './finding.ts'

/** Decodes a frame; by default in this thread. */
export type DecodeFrame = Pool['run'] | undefined

/** Checks that a source of frames lists keys with known names, that the newest key is not too old, and that its file passes the checks of ingestion. */
export async function checkFrames(
  upstream: Upstream,
  dataset: FrameDataset,
  domain: DomainId,
  now: Instant,
  decode?: DecodeFrame,
): Promise<readonly Finding[]> {
  const subject = `${dataset.id}/${domain} newest frame`
  const places = dataset.listings(now, domain)
  if (places.length === 0) return []
  const [newest] = await findFrames(upstream, dataset, domain, now)
  if (!newest) return [failed(subject, await nothingListed(upstream, dataset, domain, now))]
  const age = Math.round((now - newest.time) / SECOND)
  const detail = `${newest.name} is from ${isoSeconds(newest.time)}, ${age} s ago`
  const isOld = age > dataset.staleAfterSeconds
  const content = `${dataset.id}/${domain} frame`
  return [
    isOld ? failed(subject, `${detail}; the limit is ${dataset.staleAfterSeconds} s`) : passed(subject, detail),
    ...(await findingsOf(content, async () => [await frameFinding(upstream, dataset, domain, newest, decode)])),
  ]
}

async function nothingListed(
  upstream: Upstream,
  dataset: FrameDataset,
  domain: DomainId,
  now: Instant,
): Promise<string> {
  const places = dataset.listings(now, domain)
  for (const { bucket, prefix } of places) {
    const last = (await upstream.list(bucket, prefix)).at(-1)
    if (last) return `no key has a name and time that can be read, such as ${last.key}`
  }
  const [first] = places
  return `no key begins with ${first!.prefix}: ${await existingChildren(upstream, first!.bucket, first!.prefix)}`
}

/**
 * Reads a file through the checks of its sweep, except the comparison with the previous frame. @throws Fault Corrupt
 */
async function frameFinding(
  upstream: Upstream,
  dataset: FrameDataset,
  domain: DomainId,
  { url, name, time }: FrameFile,
  decode: DecodeFrame,
): Promise<Finding> {
  const subject = `${dataset.id}/${domain} frame`
  const { bytes } = await upstream.get(url)
  if (dataset.format === 'mrms') {
    const { id, unit, values } = dataset as MrmsDataset
    const task: FrameTask = { kind: 'frame', bytes, subject: { product: id, domain, unit, source: url }, values }
    const frame = decode ? await decode<FrameResult>(task) : makeFrame(task)
    const faults = faultsOf(dataset as MrmsDataset, domain, time, frame, undefined)
    if (faults.length > 0) return failed(subject, `${name}: ${faults.map(({ detail }) => detail).join('; ')}`)
    const most = Number.isNaN(frame.most) ? 'no values' : `at most ${frame.most} ${unit}`
    return passed(subject, `${name}: ${frame.parameter} is as declared, ${most}`)
  }
  if (dataset.format === 'glm') {
    const granule = await readGlm(bytes, name)
    const flashes = flashesInView(granule, name, /_(G\d\d)_s/.exec(name)?.[1] ?? '', time)
    return passed(subject, `${name}: ${flashes.length} flashes`)
  }
  const list = readProbSevere(new TextDecoder().decode(bytes), name)
  if (Math.abs(list.validTime - time) > SECOND)
    return failed(
      subject,
      `${name}: the time of the list must be that of the name, but is ${isoSeconds(list.validTime)}`,
    )
  if (list.rejected.length > 0) return failed(subject, `${name}: ${list.rejected[0]}`)
  return passed(subject, `${name}: ${list.storms.length} storms`)
}

/**
 * Checks single-radar products: in each domain, the first site that has a scan of its first product must also have the
 * other products, and each must be readable. A radar may be off for maintenance.
 */
export async function checkSites(
  upstream: Upstream,
  dataset: RadarSiteDataset,
  now: Instant,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const [first = '', ...others] = dataset.products
  for (const [domain, sites] of Object.entries(dataset.sites)) {
    const subject = `${dataset.id}/${domain} products`
    const working = await workingSite(upstream, dataset, sites, first, now)
    if (working === undefined) {
      findings.push(failed(subject, `none of ${sites.length} radars lists ${first}`))
      continue
    }
    const faults: string[] = []
    for (const product of [first, ...others]) {
      const fault = await scanFault(upstream, dataset, working, product, now)
      if (fault) faults.push(fault)
    }
    findings.push(
      faults.length === 0
        ? passed(subject, `${working} has all of them, each with a scan that can be read`)
        : failed(subject, `${working}: ${faults.join('; ')}`),
    )
  }
  return findings
}

async function workingSite(
  upstream: Upstream,
  dataset: RadarSiteDataset,
  sites: readonly string[],
  product: string,
  now: Instant,
): Promise<string | undefined> {
  for (const site of sites) if (await newestScan({ upstream }, dataset, site, product, now)) return site
  return undefined
}

async function scanFault(
  upstream: Upstream,
  dataset: RadarSiteDataset,
  site: string,
  product: string,
  now: Instant,
): Promise<string | undefined> {
  try {
    const file = await newestScan({ upstream }, dataset, site, product, now)
    if (!file) return `no scan of ${product}`
    const scan = await readScan({ upstream }, file, site, product, readLevel3)
    return 'fault' in scan ? `${product}: ${scan.fault.message}` : undefined
  } catch (error) {
    if (!isFault(error)) throw error
    return `${product}: ${error.message}`
  }
}
