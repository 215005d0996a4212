import type { MetaWarning } from '../../contract.ts'
import type { Palette } from '../../picture/colours.ts'
import type { MapLayer } from '../../picture/map-task.ts'
import type { View } from '../../picture/view.ts'
import type { UnitSystem } from '../../present/units.ts'
import type { SceneLayer } from './map-scene.ts'

/** The data of a layer for the drawing thread, and its description for the text. */
export interface GatheredLayer {
  readonly type: SceneLayer['type']
  readonly product?: string
  readonly valid_time: string | null
  readonly layer: MapLayer
  readonly palette?: Palette
  readonly names?: readonly { readonly name: string; readonly colour: string }[]
  /** Description for the text; absent for weather, which is described after it is drawn. */
  readonly words?: string
  /** Reasons to doubt the data. */
  readonly warnings?: readonly MetaWarning[]
}

/** Options that all layers of a call share. */
export interface LayerOptions {
  readonly view: View
  /** Requested valid time, ms; undefined for the newest. */
  readonly time: number | undefined
  readonly opacity: number
  readonly units: UnitSystem
}
