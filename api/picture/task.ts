import type { QueryBox } from '../query/box.ts'
import type { Palette } from './colours.ts'
import type { LayerPart, PictureSize } from './radar.ts'
export interface PictureTask {
  readonly layers: readonly LayerPart[]
  readonly palette: Palette
  readonly box: QueryBox
  readonly size: PictureSize
  /** 0 to 1. */
  readonly opacity: number
}
