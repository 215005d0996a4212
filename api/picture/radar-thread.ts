import { LRUCache } from 'lru-cache'
import type { MotionNodes } from '../../ingest/tile/motion-file.ts'
import type { Palette } from './colours.ts'
import { drawFrames, encodePicture } from './radar.ts'
import type { PictureTask } from './task.ts'

// The thread that draws pictures of frames: one task after the other, plain data in, a PNG out.

/** Motion fields by key, with the trajectories that were computed from them: the newest of each domain, and those before. */
const motions = new LRUCache<string, MotionNodes>({ max: 6 })

function cached(key: string, nodes: MotionNodes): MotionNodes {
  const known = motions.get(key)
  if (known) return known
  motions.set(key, nodes)
  return nodes
}

export default function draw(task: PictureTask): Uint8Array {
  const layers = task.layers.map((layer) =>
    layer.motion
      ? { ...layer, motion: { ...layer.motion, nodes: cached(layer.motion.key, layer.motion.nodes) } }
      : layer,
  )
  const pixels = drawFrames(layers, task.palette, task.box, task.size)
  return encodePicture(pixels, task.size, task.palette, task.opacity)
}

/** The canvas is a library of 30 MB, read when the first legend is asked for. */
export async function legend(palette: Palette): Promise<Uint8Array> {
  const { drawLegend } = await import('./legend.ts')
  return drawLegend(palette)
}
