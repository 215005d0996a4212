import type { Palette } from '../../picture/colours.ts'
import type { MapLayer } from '../../picture/map-task.ts'
import type { View } from '../../picture/view.ts'
import type { SceneLayer } from './map-scene.ts'

/** A layer as data for the drawing thread, with its description for the text. */
export interface GatheredLayer {
  readonly type: SceneLayer['type']
  readonly product?: string
  readonly valid_time: string | null
  readonly layer: MapLayer
  readonly palette?: Palette
  readonly names?: readonly { readonly name: string; readonly colour: string }[]
  /** Description for the text; absent for weather, which is described after drawing. */
  readonly words?: string
}

/** What all layers of a call share. */
export interface LayerOptions {
  readonly view: View
  /** Wanted valid time, ms; undefined: the newest. */
  readonly time: number | undefined
  readonly opacity: number
}
