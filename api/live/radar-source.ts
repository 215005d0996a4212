import { openRadarFrames, type RadarFrames } from './frames.ts'
import { lightningAt } from './lightning.ts'
import { nowcastAt } from './nowcast.ts'
import { radarAt } from './radar.ts'
import { siteAt } from './radar-sites.ts'
import type { LiveDeps, LiveSource } from './source.ts'

/** Opens the frames of radar and lightning, and the nowcast that is computed from them. */
export function openRadar({ current, objects, takes }: LiveDeps): RadarFrames & LiveSource {
  const frames = openRadarFrames(current, objects)
  return {
    ...frames,
    suppliers: {
      radar: radarAt(frames, current, takes),
      radarSite: siteAt(frames),
      lightning: lightningAt(frames),
      nowcast: nowcastAt(frames, current),
    },
  }
}
