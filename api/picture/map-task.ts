import type { Palette } from './colours.ts'
import type { LayerPart } from './radar.ts'

/** A map as plain data: gathered by the caller, drawn in a thread. */
export interface MapTask {
  readonly lat: number
  readonly lon: number
  readonly zoom: number
  readonly width: number
  readonly height: number
  /** Bottom to top. */
  readonly layers: readonly MapLayer[]
  readonly palette?: Palette
  readonly names: readonly { readonly name: string; readonly colour: string }[]
  /** The last line of the legend. */
  readonly caption: string
  /** Most populous first. */
  readonly towns: readonly Town[]
  readonly mark?: { readonly lat: number; readonly lon: number }
  /** Drawn over the map at its top. */
  readonly heading?: { readonly title: string; readonly line: string }
}

export interface Town {
  readonly name: string
  readonly lat: number
  readonly lon: number
  readonly population: number
}

export interface PaintedArea {
  /** lon, lat, lon, lat …; closed; the outer ring first. */
  readonly rings: readonly Float64Array[]
  readonly colour: string
  /** Of the fill, 0 to 1. */
  readonly opacity: number
}

export type MapLayer = FramesLayer | FieldLayer | AreasLayer | TracksLayer

export interface FramesLayer {
  readonly kind: 'frames'
  readonly parts: readonly LayerPart[]
  readonly palette: Palette
  readonly opacity: number
}

/** Values on a grid of the picture, row-major from the north-west; NaN where there is none. */
export interface FieldLayer {
  readonly kind: 'field'
  readonly values: Float64Array
  readonly columns: number
  /** Pixels between two samples. */
  readonly step: number
  readonly palette: Palette
  readonly opacity: number
}

export interface AreasLayer {
  readonly kind: 'areas'
  readonly areas: readonly PaintedArea[]
}

export interface TracksLayer {
  readonly kind: 'tracks'
  readonly tracks: readonly (readonly [lon: number, lat: number, toLon: number, toLat: number])[]
}

/** What a picture shows of a weather layer, for the sentence beside it. */
export interface LayerFigures {
  /** Share of the picture with a colour, 0 to 1. */
  readonly covered: number
  /** The highest step of the palette, and the pixel of it that is nearest to the centre. */
  readonly highest?: { readonly step: number; readonly x: number; readonly y: number }
}

export interface MapPicture {
  readonly png: Uint8Array
  /** Of the weather layers, by their index in `layers`. */
  readonly figures: readonly (LayerFigures | null)[]
}
