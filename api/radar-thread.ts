import { parentPort } from 'node:worker_threads'
import type { MotionNodes } from '../ingest/tile/motion-file.ts'
import type { PictureTask } from './radar-painter.ts'
import { drawFrames, encodePicture } from './radar-picture.ts'

// The thread that paints pictures of frames: one task after the other, plain data in, a PNG out.

/** Motions whose trajectories are kept: one a domain, and those that came before them. */
const KEPT = 6
const motions = new Map<string, MotionNodes>()

/** The motion that is known by its key already, with what was found of it. */
function known(key: string, nodes: MotionNodes): MotionNodes {
  const held = motions.get(key) ?? nodes
  motions.delete(key)
  motions.set(key, held)
  if (motions.size > KEPT) motions.delete(motions.keys().next().value!)
  return held
}

parentPort!.on('message', ({ id, task }: { id: number; task: PictureTask }) => {
  try {
    const layers = task.layers.map((layer) =>
      layer.motion
        ? { ...layer, motion: { ...layer.motion, nodes: known(layer.motion.key, layer.motion.nodes) } }
        : layer,
    )
    const pixels = drawFrames(layers, task.palette, task.box, task.size)
    const picture = encodePicture(pixels, task.size, task.palette, task.opacity)
    parentPort!.postMessage({ id, picture })
  } catch (error) {
    parentPort!.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
