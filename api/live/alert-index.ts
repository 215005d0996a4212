import type { AlertHead } from '../../ingest/domain/alert/alert.ts'
import { isMarine, type LandZoneKind } from '../../ingest/domain/alert/ugc.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { COVER_RESOLUTION, coarsened } from '../../ingest/domain/shape/cover.ts'
import type { Box } from '../../ingest/domain/shape/ring.ts'
import { type Shape, shapeCovers, shapeOfWkb, shapeTouchesBox } from '../../ingest/domain/shape/shape.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { counties } from '../../ingest/geo/place.ts'
import type { AlertRecordRow, AlertRow } from '../../sql/queries/alerts.ts'

/** A published alert. */
export interface LiveAlert {
  readonly id: string
  readonly head: AlertHead
  readonly record: AlertRecordRow
  /** UGC codes of its area. */
  readonly areas: readonly string[]
  readonly expiration: Instant
  readonly polygon?: Shape
  readonly clipped: boolean
  /** H3 cells that the polygon touches. */
  readonly cells: readonly string[]
  readonly zones: readonly AlertZone[]
  /** True if the alert covers marine zones only. */
  readonly marine: boolean
}

/** A zone of an alert; it has no shape while its geometry is not available. */
export interface AlertZone {
  readonly kind: LandZoneKind
  readonly code: string
  /** True for a county that stands in for a zone without geometry. */
  readonly standIn: boolean
  readonly place: { shape?: Shape; cells: readonly string[] }
}

interface PlacedZone {
  readonly kind: LandZoneKind
  readonly code: string
  readonly place: { shape?: Shape; cells: readonly string[] }
  readonly alerts: Set<LiveAlert>
}

/**
 * Keeps all published alerts with their shapes in memory. A query for a point looks up its H3 cell and tests the few
 * shapes of that cell exactly, with the boundary rule of PostGIS.
 */
export class AlertIndex {
  readonly #alerts = new Map<string, LiveAlert>()
  readonly #zones = new Map<string, PlacedZone>()
  readonly #zonesByCell = new Map<string, Set<PlacedZone>>()
  readonly #polygonsByCell = new Map<string, Set<LiveAlert>>()
  /** Undefined until it is computed again after a change. */
  #unplaced: readonly LiveAlert[] | undefined

  /** The zones of all alerts, and whether their shapes are loaded. */
  get zones(): { readonly kind: LandZoneKind; readonly code: string; readonly loaded: boolean }[] {
    return [...this.#zones.values()].map(({ kind, code, place }) => ({ kind, code, loaded: place.shape !== undefined }))
  }

  get size(): number {
    return this.#alerts.size
  }

  clear(): void {
    this.#unplaced = undefined
    this.#alerts.clear()
    this.#zones.clear()
    this.#zonesByCell.clear()
    this.#polygonsByCell.clear()
  }

  /** Adds or replaces an alert. @returns coarse cells where answers may have changed */
  put(row: AlertRow): string[] {
    const cells = this.remove(row.id)
    if (!row.shown) return cells
    const alert: LiveAlert = {
      id: row.id,
      head: row.head,
      record: row.record,
      areas: row.shown.areas,
      expiration: row.shown.expiration,
      polygon: row.wkb ? shapeOfWkb(row.wkb) : undefined,
      clipped: row.clipped,
      cells: row.cells,
      zones: row.zones.map(({ kind, code, stand_in }) => ({
        kind,
        code,
        standIn: stand_in,
        place: this.#zone(kind, code).place,
      })),
      marine: row.shown.areas.length > 0 && row.shown.areas.every(isMarine),
    }
    this.#alerts.set(alert.id, alert)
    for (const { kind, code } of alert.zones) this.#zone(kind, code).alerts.add(alert)
    if (alert.polygon) for (const cell of alert.cells) addTo(this.#polygonsByCell, cell, alert)
    return [...new Set([...cells, ...cellsOf(alert)])]
  }

  remove(id: string): string[] {
    this.#unplaced = undefined
    const alert = this.#alerts.get(id)
    if (!alert) return []
    this.#alerts.delete(id)
    for (const { kind, code } of alert.zones) this.#zones.get(`${kind}/${code}`)?.alerts.delete(alert)
    if (alert.polygon) for (const cell of alert.cells) this.#polygonsByCell.get(cell)?.delete(alert)
    return cellsOf(alert)
  }

  /** Adds or replaces the shape of a zone. */
  putShape(kind: LandZoneKind, code: string, wkb: Uint8Array, cells: readonly string[]): string[] {
    this.#unplaced = undefined
    const zone = this.#zone(kind, code)
    for (const cell of zone.place.cells) this.#zonesByCell.get(cell)?.delete(zone)
    const before = zone.place.cells
    zone.place.shape = shapeOfWkb(wkb)
    zone.place.cells = cells
    for (const cell of cells) addTo(this.#zonesByCell, cell, zone)
    return zone.alerts.size > 0 ? coarsened([...before, ...cells]) : []
  }

  all(now: Instant): LiveAlert[] {
    return [...this.#alerts.values()].filter((alert) => now < alert.expiration)
  }

  get(id: string, now: Instant): LiveAlert | undefined {
    const alert = this.#alerts.get(id)
    return alert && now < alert.expiration ? alert : undefined
  }

  /**
   * Returns alerts of any status that no query for a point can return because no outline is known. It is unknown
   * whether they are in force at a point.
   */
  unplaced(now: Instant): readonly LiveAlert[] {
    this.#unplaced ??= [...this.#alerts.values()].filter(AlertIndex.isUnplaced)
    return this.#unplaced.filter((alert) => now < alert.expiration)
  }

  /** Returns alerts at a point, of any status. Marine alerts never match on land. */
  at(lat: number, lon: number, now: Instant): LiveAlert[] {
    const cell = cellOf(lat, lon, COVER_RESOLUTION)
    const alerts = new Set<LiveAlert>()
    let land: boolean | undefined
    const onLand = () => (land ??= counties().at(lat, lon).length > 0)
    for (const zone of this.#zonesByCell.get(cell) ?? []) {
      if (zone.alerts.size === 0 || !zone.place.shape || !shapeCovers(zone.place.shape, lon, lat)) continue
      if (isMarine(zone.code) && onLand()) continue
      for (const alert of zone.alerts) if (!alert.polygon && now < alert.expiration) alerts.add(alert)
    }
    for (const alert of this.#polygonsByCell.get(cell) ?? []) {
      if (now >= alert.expiration || !alert.polygon || !shapeCovers(alert.polygon, lon, lat)) continue
      if (alert.clipped && !alert.zones.some(({ place }) => !place.shape || shapeCovers(place.shape, lon, lat)))
        continue
      if (alert.marine && onLand()) continue
      alerts.add(alert)
    }
    return [...alerts]
  }

  /** Shapes of an alert: its polygon, or the zones of an alert without a polygon. */
  static shapesOf(alert: LiveAlert): Shape[] {
    if (alert.polygon) return [alert.polygon]
    return alert.zones.flatMap(({ place }) => place.shape ?? [])
  }

  static touches(alert: LiveAlert, box: Box): boolean {
    const mayTouch = ({ place }: AlertZone) => !place.shape || shapeTouchesBox(place.shape, box)
    if (alert.clipped && !alert.zones.some(mayTouch)) return false
    return AlertIndex.shapesOf(alert).some((shape) => shapeTouchesBox(shape, box))
  }

  /** Returns true if an alert has zones on land without a known outline and no county that stands in for them, or no known area. */
  static isUnplaced({ head, polygon, zones }: LiveAlert): boolean {
    if (head.limited) return !polygon
    return (
      !polygon &&
      zones.some(({ code, place }) => !place.shape && !isMarine(code)) &&
      !zones.some(({ standIn, place }) => standIn && place.shape)
    )
  }

  /** Returns true if an alert covers a point, or any point if `at` is absent, only through counties that stand in for zones without geometry. */
  static isApproximate(alert: LiveAlert, at?: { readonly lat: number; readonly lon: number }): boolean {
    if (alert.polygon || !alert.zones.some(({ standIn }) => standIn)) return false
    return (
      !at ||
      !alert.zones.some(({ standIn, place }) => !standIn && place.shape && shapeCovers(place.shape, at.lon, at.lat))
    )
  }

  #zone(kind: LandZoneKind, code: string): PlacedZone {
    const key = `${kind}/${code}`
    let zone = this.#zones.get(key)
    if (!zone) this.#zones.set(key, (zone = { kind, code, place: { cells: [] }, alerts: new Set() }))
    return zone
  }
}

function cellsOf(alert: LiveAlert): string[] {
  return coarsened(alert.polygon ? alert.cells : alert.zones.flatMap(({ place }) => place.cells))
}

function addTo<T>(map: Map<string, Set<T>>, key: string, value: T): void {
  const set = map.get(key)
  if (set) set.add(value)
  else map.set(key, new Set([value]))
}
