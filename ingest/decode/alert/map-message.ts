import type { AlertMessage, Vtec, VtecAction } from '../../domain/alert/alert.ts'
import { MAX_BORDER_STEPS } from '../../domain/shape/cover.ts'
import type { MapRow } from './map-rows.ts'
import { parseRecord, type Rejected } from './record.ts'

const actions: ReadonlySet<string> = new Set(['NEW', 'CON', 'EXT', 'EXA', 'EXB', 'COR', 'ROU'])
/** Actions of messages that only end an event. They name no zones, so it is unknown which part of the event ends. */
const endings: ReadonlySet<string> = new Set(['CAN', 'EXP', 'UPG', 'CANCEL'])

/** Returns whether a row announces or continues an alert. Endings are not stored, because an alert ends at its own time. */
export function isStanding({ action }: MapRow): boolean {
  return !endings.has(action)
}

/** Reads the rows of one id as a message, without texts, zones and CAP parameters. */
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
    // Outlines of zones are longer than drawn polygons, so their limit is higher.
    MAX_BORDER_STEPS.zone,
  )
  if (!message) return { rejected }
  const vtec = vtecOf(row, message)
  return { message: { ...message, office, head: { ...message.head, vtec, limited: true } }, rejected }
}

/** Returns each outline once, because layers and pages may repeat a row. */
function distinct(polygons: readonly unknown[]): unknown[] {
  return [...new Map(polygons.map((polygon) => [JSON.stringify(polygon), polygon])).values()]
}

/** Returns the VTEC of a message from the fields of its rows; an empty list if they are blank, as in statements. */
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
 * Derives the severity, which the map does not have, from the kind of product. Users can request severe alerts only, so an estimate is
 * rather too high than too low: warnings and watches are Severe; those for tornadoes, extreme winds and tsunamis are Extreme; all others
 * are Moderate.
 */
function severityOf({ significance, phenomenon, event }: MapRow): string {
  const isGrave = significance === '' ? /\b(warning|watch|emergency)\b/i.test(event) : /^[WA]$/.test(significance)
  if (!isGrave) return 'Moderate'
  return ['TO', 'EW'].includes(phenomenon) || /tornado|extreme wind|tsunami/i.test(event) ? 'Extreme' : 'Severe'
}
