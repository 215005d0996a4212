import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { radarSource } from '../../../infra/simulator/radar.ts'
import { nameTag, type SimulatedHost } from '../../../infra/simulator/source.ts'
import { HOUR, MINUTE, SECOND, stamp } from '../../../ingest/domain/time.ts'
import { restamped } from '../whole/restamp.ts'

export const RADAR_BUCKET = 'noaa-mrms-pds'
export const scanDomains = ['CONUS', 'ALASKA', 'HAWAII'] as const
export type ScanDomain = (typeof scanDomains)[number]

/** The products of a scan that the nowcast uses, with the seconds of their times after the full minute. */
const products = [
  ['PrecipRate_00.00', 0],
  ['PrecipFlag_00.00', 0],
  ['SeamlessHSR_00.00', 36],
] as const

/** Number of written scans, two minutes apart. They are served forwards and backwards, so that echoes never jump. */
const WRITTEN = 3
const WRITTEN_TIME = Date.UTC(2026, 5, 16, 12)
const STEP = 2 * MINUTE

function keyOf(domain: ScanDomain, product: string, time: number): string {
  const { day, hour, minute, second } = stamp(time)
  return `${domain}/${product}/${day}/MRMS_${product}_${day}-${hour}${minute}${second}.grib2.gz`
}

export function scanKeys(domain: ScanDomain, time: number): string[] {
  return products.map(([product, past]) => keyOf(domain, product, time + past * SECOND))
}

const nameOf = (domain: ScanDomain, product: string, index: number) => `mrms.${domain}.${product}.${index}`

/** Writes the files that the folder lacks: 27 full-size files, in three minutes of one core. */
export async function writeScans(folder: string, coarse: number): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const source = radarSource(coarse)
  for (const domain of scanDomains)
    for (let index = 0; index < WRITTEN; index++)
      for (const [product, past] of products) {
        const path = join(folder, nameOf(domain, product, index))
        if (existsSync(path)) continue
        const key = keyOf(domain, product, WRITTEN_TIME + index * STEP + past * SECOND)
        const document = await source.find(`/${key}`, new URLSearchParams(), WRITTEN_TIME + HOUR)
        writeFileSync(path, await document!.body())
      }
}

/** Returns the bucket of scans, in which a file exists from the time that `shownAt` returns. */
export function scanSource(folder: string, shown: ReadonlyMap<string, number>): SimulatedHost {
  const bytesByKey = new Map<string, Uint8Array>()
  const bytesOf = (key: string): Uint8Array => {
    let bytes = bytesByKey.get(key)
    if (!bytes) {
      const [domain, product] = key.split('/') as [ScanDomain, string]
      const [, date, clock] = /_(\d{8})-(\d{6})\./.exec(key)!
      const time = Date.parse(
        `${date!.slice(0, 4)}-${date!.slice(4, 6)}-${date!.slice(6)}T${clock!.slice(0, 2)}:${clock!.slice(2, 4)}:${clock!.slice(4)}Z`,
      )
      // The order is 0 1 2 1 0 1 …
      const turn = Math.floor(time / STEP) % (2 * WRITTEN - 2)
      const index = Math.min(turn, 2 * WRITTEN - 2 - turn)
      const past = products.find(([name]) => name === product)![1]
      const file = gunzipSync(readFileSync(join(folder, nameOf(domain, product, index))))
      bytes = gzipSync(restamped(file, time - (WRITTEN_TIME + index * STEP + past * SECOND), 0), { level: 1 })
      bytesByKey.set(key, bytes)
    }
    return bytes
  }
  return {
    host: `${RADAR_BUCKET}.s3.amazonaws.com`,
    *list(prefix) {
      for (const [key, lastModified] of shown)
        if (key.startsWith(prefix) && key.endsWith('.gz'))
          yield { key, size: bytesOf(key).length, etag: nameTag(key), lastModified }
    },
    find(path) {
      const key = path.slice(1)
      const lastModified = key.endsWith('.gz') ? shown.get(key) : undefined
      if (lastModified === undefined) return undefined
      return { etag: nameTag(key), lastModified, type: 'application/gzip', body: () => bytesOf(key) }
    },
  }
}
