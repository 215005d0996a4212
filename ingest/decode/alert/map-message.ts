import type { AlertMessage, Vtec, VtecAction } from '../../domain/alert/alert.ts'
import { MAX_BORDER_STEPS } from '../../domain/shape/cover.ts'
import type { MapRow } from './map-rows.ts'
import { parseRecord, type Rejected } from './record.ts'

const actions: ReadonlySet<string> = new Set(['NEW', 'CON', 'EXT', 'EXA', 'EXB', 'COR', 'ROU'])
/** Words of a message that only ends an event. It names no zones, so it is unknown what it ends. */
const endings: ReadonlySet<string> = new Set(['CAN', 'EXP', 'UPG', 'CANCEL'])

/** Returns whether a row announces or continues an alert: an ending is not stored, and alerts end by their own times. */
export function isStanding({ action }: MapRow): boolean {
  return !endings.has(action)
}

/** The message of the rows of one id, without texts, zones and CAP parameters. */
export function readMapMessage(rows: readonly [MapRow, ...MapRow[]]): { message?: AlertMessage; rejected?: Rejected } {
  const [row] = rows
  const polygons = distinct(rows.flatMap((part) => part.polygons))
  const office = /^[A-Z]{3,4}$/.test(row.office) ? row.office.slice(-3) : undefined
  const { message, rejected } = parseRecord(
    {
      id: row.id,
      event: row.event,
      status: /^test\b/i.test(row.event) ? 'test' : 'actual',
      sent: row.issued,
      onset: row.onset,
      expires: row.expires,
      ends: row.ends,
      severity: severityOf(row),
      senderName: office && `NWS office ${office}`,
      ugc: [],
      same: [],
      zoneUrls: [],
      references: [],
      polygons: polygons.length > 0 ? polygons : undefined,
      parameters: {},
    },
    // An outline of zones is longer than a drawn polygon.
    MAX_BORDER_STEPS.zone,
  )
  if (!message) return { rejected }
  const vtec = vtecOf(row, message)
  return { message: { ...message, office, head: { ...message.head, vtec, limited: true } }, rejected }
}

/** Outlines without repetition: layers and pages may have the same row. */
function distinct(polygons: readonly unknown[]): unknown[] {
  return [...new Map(polygons.map((polygon) => [JSON.stringify(polygon), polygon])).values()]
}

/** The VTEC of a message by the fields of its rows; empty if they are blank, as of statements. */
function vtecOf(
  { office, phenomenon, significance, number, action, ends }: MapRow,
  { onset, ends: end }: AlertMessage,
): Vtec[] {
  const isWhole =
    /^[A-Z]{4}$/.test(office) &&
    /^[A-Z]{2}$/.test(phenomenon) &&
    /^[A-Z]$/.test(significance) &&
    /^\d{1,4}$/.test(number)
  if (!isWhole) return []
  const known = actions.has(action) ? (action as VtecAction) : action === 'ALERT' ? 'NEW' : 'CON'
  return [
    {
      productClass: 'O',
      action: known,
      office,
      phenomenon,
      significance,
      etn: Number(number),
      ...(known === 'NEW' && { begin: onset }),
      ...(ends !== undefined && { end }),
    },
  ]
}

/**
 * The map has no severity. Readers may ask for severe alerts only, so the kind of product stands for it, rather too high than too low:
 * warnings and watches Severe, those of tornadoes, extreme winds and tsunamis Extreme, the rest Moderate.
 */
function severityOf({ significance, phenomenon, event }: MapRow): string {
  const isGrave = significance === '' ? /\b(warning|watch|emergency)\b/i.test(event) : /^[WA]$/.test(significance)
  if (!isGrave) return 'Moderate'
  return ['TO', 'EW'].includes(phenomenon) || /tornado|extreme wind|tsunami/i.test(event) ? 'Extreme' : 'Severe'
}
