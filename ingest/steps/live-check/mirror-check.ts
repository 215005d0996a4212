import type { GridDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { type Instant, runName } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { Available } from '../grid/list.ts'
import { type Finding, failed, findingsOf, passed, warning } from './finding.ts'

/** An ETag that no object has. */
const NO_ETAG = '"0"'

/**
 * Checks each other address of a dataset's bucket: it lists the run, it has the same file with the same size, it
 * returns ranges, and it refuses a range of another edition (`If-Match`).
 * @param files files of the run as the bucket lists them
 */
export async function checkMirrors(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  files: readonly Available[],
): Promise<Finding[]> {
  const { bucket, prefix } = dataset.listing(run, domain)
  const file = files.find(({ url }) => url.startsWith(`${bucket}/`))
  const addresses = upstream.buckets.addressesOf(bucket, 'listing').filter((address) => address !== bucket)
  if (!file) return []
  const findings = addresses.map((address) => {
    const subject = `${dataset.id}/${domain} mirror ${new URL(address).pathname.slice(1) || new URL(address).host}`
    return findingsOf(subject, async () => [await checkMirror(upstream, subject, address, file, bucket, prefix, run)])
  })
  return (await Promise.all(findings)).flat()
}

async function checkMirror(
  upstream: Upstream,
  subject: string,
  address: string,
  file: Available,
  bucket: string,
  prefix: string,
  run: Instant,
): Promise<Finding> {
  const key = file.url.slice(bucket.length + 1)
  const listed = await upstream.list(address, prefix)
  const same = listed.find((object) => object.key === key)
  if (!same) return failed(subject, `its listing of ${runName(run)} has ${listed.length} keys, but not ${key}`)
  if (file.size !== undefined && same.size !== file.size)
    return failed(subject, `${key} has ${same.size} bytes, but ${file.size} in the bucket`)
  const url = `${address}/${key}`
  const { bytes } = await upstream.get(url, { range: [0, 15], ifMatch: same.etag })
  if (Buffer.from(bytes).toString('latin1', 0, 4) !== 'GRIB')
    return failed(subject, `${key} does not begin with a GRIB message`)
  const detail = `${listed.length} keys of ${runName(run)}, ${key} has ${same.size} bytes`
  const isChecked = await refusesOtherEdition(upstream, url)
  // Without If-Match, ranges of two editions are distinguished only by the ETags of the replies.
  return isChecked
    ? passed(subject, `${detail}, If-Match is honored`)
    : warning(subject, `${detail}, If-Match is ignored`)
}

async function refusesOtherEdition(upstream: Upstream, url: string): Promise<boolean> {
  try {
    await upstream.get(url, { range: [0, 15], ifMatch: NO_ETAG })
    return false
  } catch (error) {
    if (isFault(error, 'NotYet') && error.details['changed']) return true
    throw error
  }
}
