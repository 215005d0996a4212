import { LRUCache } from 'lru-cache'
import type { MotionNodes } from '../../ingest/tile/motion-file.ts'
import type { Palette } from './colours.ts'
import { drawFrames, encodePicture, encodeUnseen } from './radar.ts'
import type { PictureTask } from './task.ts'

// This thread draws pictures of frames, one task after the other: it receives plain data and returns a PNG.

/** Motion fields by key, with the trajectories computed from them: the newest and the previous field of each domain. */
const motions = new LRUCache<string, MotionNodes>({ max: 6 })

/** Returns the cached motion field, which already has its trajectories, or else the new motion field. */
function cachedNodes(key: string, nodes: MotionNodes): MotionNodes {
  const cached = motions.get(key)
  if (cached) return cached
  motions.set(key, nodes)
  return nodes
}

/** Draws a picture of frames as PNG. */
export default function draw(task: PictureTask): Uint8Array {
  const layers = task.layers.map((layer) =>
    layer.motion
      ? { ...layer, motion: { ...layer.motion, nodes: cachedNodes(layer.motion.key, layer.motion.nodes) } }
      : layer,
  )
  const pixels = drawFrames(layers, task.palette, task.box, task.size, task.smooth)
  return encodePicture(pixels, task.size, task.palette, task.opacity)
}

/** Draws black where no frame covers a pixel as PNG. */
export const unseen = ({ layers, box, size }: Pick<PictureTask, 'layers' | 'box' | 'size'>): Uint8Array =>
  encodeUnseen(layers, box, size)

/** Draws a legend as PNG. The canvas library, 30 MB, is loaded when the first legend is requested. */
export async function legend(palette: Palette): Promise<Uint8Array> {
  const { drawLegend } = await import('./legend.ts')
  return drawLegend(palette)
}
