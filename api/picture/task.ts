import type { QueryBox } from '../query/box.ts'
import type { Palette } from './colours.ts'
import type { LayerPart, PictureSize } from './radar.ts'

/** A picture of frames as plain data, which a thread draws. */
export interface PictureTask {
  readonly layers: readonly LayerPart[]
  readonly palette: Palette
  readonly box: QueryBox
  readonly size: PictureSize
  /** Opacity of the colours, 0 to 1. */
  readonly opacity: number
  /** Whether values are interpolated between pixels. */
  readonly smooth?: boolean
}
