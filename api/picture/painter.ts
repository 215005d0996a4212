import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { Fault } from '../../ingest/domain/fault.ts'
import type { Frame } from '../../ingest/tile/frame-read.ts'
import type { MotionNodes } from '../../ingest/tile/motion-file.ts'
import type { Palette } from './colours.ts'
import { boxOf, type LayerPart } from './radar.ts'
import type { PictureTask } from './task.ts'

/** A layer of a picture: a frame that may be extrapolated along its motion, in steps of five minutes. */
export interface Layer {
  readonly frame: Frame
  /** Frame of precipitation types of the same time, for palettes that draw snow in colours of its own. */
  readonly types?: Frame | undefined
  readonly motion?: { readonly key: string; readonly product: string; readonly nodes: MotionNodes }
  readonly steps?: number
}

/** Maximum number of queued pictures; further pictures are refused. A large picture takes 0.2 s. */
const MAX_QUEUED_PICTURES = 64

let pool: Piscina | undefined

/** The pool with one thread, which starts at the first picture. An idle thread does not keep the process alive. */
function painter(): Piscina {
  if (pool) return pool
  pool = new Piscina({
    filename: fileURLToPath(new URL('./radar-thread.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    maxQueue: MAX_QUEUED_PICTURES,
    recordTiming: false,
    trackUnmanagedFds: false,
  })
  // The error of an idle thread that ended is ignored, because the next picture starts another thread.
  pool.on('error', () => undefined)
  return pool
}

/**
 * Draws frames over a box as an indexed PNG, later layers over earlier layers. A thread draws it, so that other answers
 * do not wait: a nowcast of the whole country takes 0.1 s, and a large picture twice as long.
 * @throws Fault Corrupt, Missing or Refused if a frame cannot be read or too many pictures are queued
 */
export async function paintFrames(layers: readonly Layer[], options: Omit<PictureTask, 'layers'>): Promise<Buffer> {
  return draw({ layers: await partsOf(layers, options), ...options } satisfies PictureTask)
}

/** Draws black over the parts of a box that no frame covers, as PNG. @throws Fault as `paintFrames` */
export async function paintUnseen(
  layers: readonly Layer[],
  options: Pick<PictureTask, 'box' | 'size'>,
): Promise<Buffer> {
  return draw({ layers: await partsOf(layers, options), ...options }, 'unseen')
}

function partsOf(layers: readonly Layer[], { box, size }: Pick<PictureTask, 'box' | 'size'>): Promise<LayerPart[]> {
  return Promise.all(
    layers.map(async ({ frame, types, motion, steps = 0 }): Promise<LayerPart> => {
      const pick = (of: Frame) => of.pick([boxOf(of.head.grid, box, size, steps)])
      const [part, typesPart] = await Promise.all([pick(frame), types && pick(types)])
      return { part, types: typesPart, motion: steps > 0 ? motion : undefined, steps }
    }),
  )
}

/**
 * Draws the colours of a palette with the value at which each begins, as PNG. @throws Fault Refused if too many
 * pictures are queued
 */
export function paintLegend(palette: Palette): Promise<Buffer> {
  return draw(palette, 'legend')
}

async function draw(
  task: PictureTask | Palette | Pick<PictureTask, 'layers' | 'box' | 'size'>,
  name?: 'legend' | 'unseen',
): Promise<Buffer> {
  const threads = painter()
  if (threads.queueSize >= MAX_QUEUED_PICTURES)
    throw new Fault('Refused', `${MAX_QUEUED_PICTURES} pictures wait to be drawn; try again in a few seconds.`)
  const picture = (await threads.run(task, { name })) as Uint8Array
  return Buffer.from(picture.buffer, picture.byteOffset, picture.length)
}
