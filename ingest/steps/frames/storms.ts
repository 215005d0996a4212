import { pointerOf, rejectRun } from '../../../sql/queries/runs.ts'
import { readProbSevere } from '../../decode/radar/probsevere.ts'
import type { FrameDataset } from '../../domain/dataset/dataset.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { isRedirected } from '../../domain/quarantine.ts'
import { type Instant, isoSeconds } from '../../domain/time.ts'
import { frameKey } from '../../tile/key.ts'
import { findFrames, publishFrame, quarantineFrame } from './frame.ts'
import type { FrameOutcome, FramePorts } from './frame-source.ts'

/** Number of rejected features of a file that are recorded one by one. */
const MAX_FEATURES = 20

/** Fetches the newest list of storms and stores it as JSON. Idempotent. */
export async function sweepStorms(ports: FramePorts, dataset: FrameDataset, now: Instant): Promise<FrameOutcome> {
  const published: FrameOutcome['published'][number][] = []
  const superseded: string[] = []
  const rejected: string[] = []
  const failures: string[] = []
  const domain = 'conus'
  try {
    const served = (await pointerOf(ports.database, dataset.id, domain))?.run.getTime() ?? Number.NEGATIVE_INFINITY
    for (const file of await findFrames(ports.upstream, dataset, domain, now)) {
      if (file.time <= served) break
      if (published.length > 0) {
        superseded.push(file.name)
        continue
      }
      let bytes: Uint8Array | undefined
      try {
        ;({ bytes } = await ports.upstream.get(file.url))
        const list = readProbSevere(new TextDecoder().decode(bytes), file.name)
        if (Math.abs(list.validTime - file.time) > 1000) {
          throw new Fault(
            'Corrupt',
            `${file.name}: the valid time must be that of the name, but is ${isoSeconds(list.validTime)}`,
            {
              reason: 'time',
            },
          )
        }
        rejected.push(...list.rejected)
        for (const [index, why] of list.rejected.slice(0, MAX_FEATURES).entries()) {
          const fault = new Fault('Corrupt', why)
          await quarantineFrame(ports, dataset.id, domain, file, fault, Buffer.from(why), `feature ${index}`)
        }
        const key = frameKey(dataset.id, domain, file.time)
        await ports.objects.put(key, Buffer.from(JSON.stringify(list)))
        const manifest = { storms: list.storms.length }
        await publishFrame(ports.database, dataset.id, domain, file.time, key, manifest, now, 0, file.modified)
        published.push({ domain, time: file.time })
      } catch (error) {
        if (isRedirected(error)) await quarantineFrame(ports, dataset.id, domain, file, error)
        if (!isFault(error, 'Corrupt')) throw error
        rejected.push(error.message)
        await quarantineFrame(ports, dataset.id, domain, file, error, bytes)
        await rejectRun(ports.database, { dataset: dataset.id, domain, run: new Date(file.time) }, error.message)
      }
    }
  } catch (error) {
    if (!isFault(error)) throw error
    failures.push(`${dataset.id}: ${error.message}`)
  }
  return { dataset: dataset.id, published, superseded, rejected, failures }
}
