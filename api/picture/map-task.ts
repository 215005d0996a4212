import type { Palette } from './colours.ts'
import type { LayerPart } from './radar.ts'

/** A map as plain data, which the caller collects and a thread draws. */
export interface MapTask {
  readonly lat: number
  readonly lon: number
  readonly zoom: number
  readonly width: number
  readonly height: number
  /** The layers from bottom to top. */
  readonly layers: readonly MapLayer[]
  readonly palette?: Palette
  readonly names: readonly { readonly name: string; readonly colour: string }[]
  /** The last line of the legend. */
  readonly caption: string
  /** Towns, the most populous first. */
  readonly towns: readonly Town[]
  readonly mark?: { readonly lat: number; readonly lon: number }
  /** Maximum bytes of the picture; a larger picture is drawn with fewer colours. */
  readonly maxBytes?: number
  /** Two lines that are drawn over the top of the map. */
  readonly heading?: { readonly title: string; readonly line: string }
}

export interface Town {
  readonly name: string
  readonly lat: number
  readonly lon: number
  readonly population: number
}

export interface PaintedArea {
  /** Closed rings as lon, lat, lon, lat, …; the outer ring is first. */
  readonly rings: readonly Float64Array[]
  readonly colour: string
  /** Opacity of the fill, 0 to 1. */
  readonly opacity: number
}

/** A line, or with one position a point, that a caller draws. */
export interface PaintedLine {
  /** lon, lat, lon, lat, … */
  readonly positions: Float64Array
  readonly colour: string
}

export type MapLayer = FramesLayer | FieldLayer | AreasLayer | TracksLayer

export interface FramesLayer {
  readonly kind: 'frames'
  readonly parts: readonly LayerPart[]
  readonly palette: Palette
  readonly opacity: number
  /** Whether pixels that no radar covers are hatched. */
  readonly marksUnseen?: boolean
}

/** Values on a grid over the picture, row by row from the north-west; NaN for missing values. */
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
  readonly lines?: readonly PaintedLine[]
}

export interface TracksLayer {
  readonly kind: 'tracks'
  readonly tracks: readonly (readonly [lon: number, lat: number, toLon: number, toLat: number])[]
}

/** Figures of a weather layer in a picture, for the text that describes it. */
export interface LayerFigures {
  /** Share of the picture that no radar covers, 0 to 1; it is hatched. */
  readonly unseen?: number
  /** Share of the picture with a colour, 0 to 1. */
  readonly covered: number
  /** The highest step of the palette that occurs, and its pixel nearest to the centre. */
  readonly highest?: { readonly step: number; readonly x: number; readonly y: number }
}

export interface MapPicture {
  readonly png: Uint8Array
  /** Figures of each layer, in the order of `layers`; null for areas and tracks. */
  readonly figures: readonly (LayerFigures | null)[]
}
