import { MINUTE, stamp } from '../../ingest/domain/time.ts'
import { nameTag, type SimulatedHost } from './source.ts'
import { type StormState, stormsAt } from './storms.ts'

const CADENCE_MS = 2 * MINUTE
const LATENCY_MS = 75_000
const RETENTION_MS = 180 * MINUTE
const KM_PER_DEGREE = 111.19

function keyOf(time: number): string {
  const { day, hour, minute, second } = stamp(time)
  return `ProbSevere/${day}/MRMS_PROBSEVERE_${day}_${hour}${minute}${second}.json`
}

/** Returns the storms of a minimum strength in ProbSevere's format, with numbers as text and motion towards south. */
function fileOf(time: number): string {
  const { day, hour, minute, second } = stamp(time)
  return JSON.stringify({
    source: 'simulator',
    product: 'ProbSevere',
    validTime: `${day}_${hour}${minute}${second} UTC`,
    productionTime: `${day}_${hour}${minute}${second} UTC`,
    machine: 'simulator',
    type: 'FeatureCollection',
    features: stormsAt(time)
      .filter(({ rate, storm }) => rate > 8 && storm.id.startsWith('conus'))
      .map(featureOf),
  })
}

function featureOf({ storm, lat, lon, u, v, rate }: StormState) {
  const ring = Array.from({ length: 13 }, (_, n) => {
    const angle = (2 * Math.PI * (n % 12)) / 12
    const radius = (1.2 * storm.radiusKm) / KM_PER_DEGREE
    const narrowing = Math.cos((lat * Math.PI) / 180)
    return [lon + (radius * Math.cos(angle)) / narrowing, lat + radius * Math.sin(angle)].map(
      (d) => Math.round(d * 100) / 100,
    )
  })
  const severe = Math.round(Math.min(99, 2 * rate))
  const model = (percent: number) => ({ PROB: String(percent), LINE01: `simulated ${percent}%` })
  return {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring] },
    models: {
      probsevere: model(severe),
      probtor: model(Math.round(severe / 6)),
      probhail: model(Math.round(severe / 2)),
      probwind: model(Math.round(severe / 1.5)),
    },
    properties: {
      MOTION_EAST: u.toFixed(3),
      MOTION_SOUTH: (-v).toFixed(3),
      MESH: (rate / 40).toFixed(2),
      SIZE: String(Math.round(storm.radiusKm ** 2)),
      ID: String(Math.abs(hash(storm.id)) % 1_000_000),
    },
  }
}

function hash(text: string): number {
  let h = 0
  for (let i = 0; i < text.length; i++) h = (Math.imul(h, 31) + text.charCodeAt(i)) | 0
  return h
}

/** Host of ProbSevere's folder in NOAA's MRMS bucket. */
export const stormSource: SimulatedHost = {
  host: 'noaa-mrms-pds.s3.amazonaws.com',
  *list(prefix, now) {
    if (!prefix.startsWith('ProbSevere') && !'ProbSevere/'.startsWith(prefix)) return
    for (
      let time = Math.ceil((now - RETENTION_MS) / CADENCE_MS) * CADENCE_MS + 38_000;
      time + LATENCY_MS <= now;
      time += CADENCE_MS
    ) {
      const key = keyOf(time)
      if (key.startsWith(prefix)) yield { key, size: 40_000, etag: nameTag(key), lastModified: time + LATENCY_MS }
    }
  },
  find(path, _query, now) {
    const part = /_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)\.json$/.exec(path)
    if (!part || !path.startsWith('/ProbSevere/')) return undefined
    const [year, month, day, hour, minute, second] = part.slice(1)
    const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    if ((time - 38_000) % CADENCE_MS !== 0 || time + LATENCY_MS > now || keyOf(time) !== path.slice(1)) return undefined
    const etag = nameTag(path.slice(1))
    return { etag, lastModified: time + LATENCY_MS, type: 'application/json', body: () => Buffer.from(fileOf(time)) }
  },
}
