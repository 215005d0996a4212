import { Worker } from 'node:worker_threads'
import type { Frame } from '../ingest/tile/frame-read.ts'
import type { MotionNodes } from '../ingest/tile/motion-file.ts'
import type { Box } from './box.ts'
import type { Palette } from './radar-colours.ts'
import { boxOf, type LayerPart, type PictureSize } from './radar-picture.ts'

/** A layer of a picture: a frame, carried along its motion for some stretches of five minutes. */
export interface Layer {
  readonly frame: Frame
  readonly motion?: { readonly key: string; readonly nodes: MotionNodes }
  readonly stretches?: number
}

export interface PictureTask {
  readonly layers: readonly LayerPart[]
  readonly palette: Palette
  readonly box: Box
  readonly size: PictureSize
  /** 0 to 1. */
  readonly opacity: number
}

interface Waiting {
  readonly resolve: (picture: Buffer) => void
  readonly reject: (error: Error) => void
}

interface Said {
  readonly id: number
  readonly picture?: Uint8Array
  readonly error?: string
}

let thread: Worker | undefined
let count = 0
const waiting = new Map<number, Waiting>()

/**
 * Frames over a box as an indexed PNG, later layers over earlier ones. A nowcast of the whole country takes 0.1 s and a large picture
 * twice that: a thread paints, so that other answers do not wait. @throws Fault Corrupt, Missing or Refused where a frame is not read
 */
export async function paintFrames(
  layers: readonly Layer[],
  { palette, box, size, opacity }: Omit<PictureTask, 'layers'>,
): Promise<Buffer> {
  const parts = await Promise.all(
    layers.map(async ({ frame, motion, stretches = 0 }): Promise<LayerPart> => {
      const part = await frame.pick([boxOf(frame.head.grid, box, size, stretches)])
      return { part, motion: stretches > 0 ? motion : undefined, stretches }
    }),
  )
  const id = ++count
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    const painter = (thread ??= begin())
    painter.ref()
    painter.postMessage({ id, task: { layers: parts, palette, box, size, opacity } satisfies PictureTask })
  })
}

/** Begun at the first picture, and again should it end; it keeps no process alive that waits for no picture. */
function begin(): Worker {
  const worker = new Worker(new URL('./radar-thread.ts', import.meta.url))
  worker.on('message', ({ id, picture, error }: Said) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    if (picture) asked?.resolve(Buffer.from(picture.buffer, picture.byteOffset, picture.length))
    else asked?.reject(new Error(`radar picture: ${error}`))
  })
  const lost = (error: Error) => {
    if (thread === worker) thread = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', lost)
  worker.on(
    'exit',
    (code) => thread === worker && lost(new Error(`radar picture: the painting thread ended with ${code}`)),
  )
  worker.unref()
  return worker
}
