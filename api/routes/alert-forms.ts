import ical from 'ical-generator'
import { isoSeconds } from '../../ingest/domain/time.ts'
import type { LiveAlert } from '../live/alert-index.ts'
import { restOf } from '../live/alerts.ts'
import { csv } from '../present/csv.ts'
import type { TableCell } from '../present/table.ts'
import { bareType, mediaTypes } from '../query/format.ts'
import type { Answer, RouteRequest } from '../route.ts'
import { capOf, xml } from './alert-cap.ts'

interface AlertForms {
  readonly list: readonly LiveAlert[]
  readonly simulated: boolean
  readonly request: Pick<RouteRequest, 'base' | 'url' | 'now'>
  /** Notes for the reader, such as why an empty list is not an all-clear. */
  readonly notes: readonly string[]
}

type AlertForm = 'csv' | 'atom' | 'cap' | 'ics'

const SIMULATED = 'Simulated weather, not real'

/** Returns alerts as a table, a feed or a calendar; `cap` is the message of the only alert. */
export function alertForms(form: AlertForm, alerts: AlertForms): Pick<Answer, 'type' | 'body'> {
  const forms = { csv: csvOf, atom: atomOf, ics: calendarOf, cap: messageOf }
  return { type: mediaTypes[form], body: forms[form](alerts) }
}

function messageOf({ list: [alert], simulated }: AlertForms): string {
  if (!alert) throw new Error('a CAP message needs an alert')
  return capOf(alert, simulated)
}

const columns = [
  ...['id', 'event', 'severity', 'urgency', 'certainty', 'headline', 'sender', 'status', 'onset', 'ends'],
  ...['effective', 'expires', 'expiration', 'area_desc', 'office', 'areas', 'link'],
]

function csvOf({ list, simulated, request }: AlertForms): string {
  const names = simulated ? [...columns, 'simulated'] : columns
  const rows = list.map((alert): TableCell[] => {
    const values: Readonly<Record<string, unknown>> = {
      ...restOf(alert),
      office: alert.record.office,
      areas: alert.areas.join('; '),
      link: linkOf(alert, request.base),
      simulated: 'true',
    }
    return names.map((name) => (values[name] === undefined ? null : String(values[name])))
  })
  return csv(
    names.map((name) => ({ name, unit: null })),
    rows,
  )
}

const linkOf = (alert: LiveAlert, base: string) => `${base}${restOf(alert).link}`
/** Returns an IRI, as Atom requires: the id of an NWS alert is a URN. */
const iriOf = (alert: LiveAlert, base: string) =>
  /^[a-z][a-z0-9+.-]*:/i.test(alert.id) ? alert.id : linkOf(alert, base)

/** Returns an Atom feed (RFC 4287) with the CAP elements of NWS feeds. */
function atomOf({ list, simulated, request, notes }: AlertForms): string {
  const updated = Math.max(...list.map(({ head }) => head.sent), 0)
  const self = `${request.base}${request.url}`
  return xml({
    feed: {
      '@_xmlns': 'http://www.w3.org/2005/Atom',
      '@_xmlns:cap': 'urn:oasis:names:tc:emergency:cap:1.2',
      id: self,
      title: `${simulated ? `${SIMULATED}: ` : ''}Active alerts of the National Weather Service`,
      ...(notes.length > 0 && { subtitle: notes.join(' ') }),
      updated: isoSeconds(updated || request.now),
      author: { name: 'National Weather Service' },
      generator: 'Hexcast',
      link: { '@_rel': 'self', '@_type': bareType('atom'), '@_href': self },
      entry: list.map((alert) => entryOf(alert, simulated, request.base)),
    },
  })
}

function entryOf(alert: LiveAlert, simulated: boolean, base: string): object {
  const { head, record } = alert
  const { headline, onset, ends, expires, effective } = restOf(alert)
  const link = linkOf(alert, base)
  return {
    id: iriOf(alert, base),
    title: `${simulated ? `${SIMULATED}: ` : ''}${headline || head.event}`,
    updated: isoSeconds(head.sent),
    published: effective,
    author: { name: record.sender },
    category: { '@_term': head.event },
    link: [
      { '@_rel': 'alternate', '@_type': bareType('json'), '@_href': link },
      { '@_rel': 'related', '@_type': bareType('cap'), '@_href': `${link}&format=cap` },
    ],
    summary: record.description ?? headline,
    'cap:event': head.event,
    'cap:effective': effective,
    'cap:onset': onset,
    'cap:expires': expires,
    'cap:ends': ends,
    'cap:status': simulated ? 'Test' : head.status,
    'cap:msgType': head.kind,
    'cap:urgency': record.urgency,
    'cap:severity': record.severity,
    'cap:certainty': record.certainty,
    'cap:areaDesc': record.areaDesc ?? alert.areas.join('; '),
  }
}

/** Returns a calendar with one event per alert, from onset to end. Clients refresh it every 15 minutes. */
function calendarOf({ list, simulated, request, notes }: AlertForms): string {
  const name = `${simulated ? `${SIMULATED}: ` : ''}NWS alerts`
  const calendar = ical({ name, prodId: '//Hexcast//Alerts//EN', ttl: 900, description: notes.join(' ') || null })
  for (const alert of list) {
    const { record, head } = alert
    calendar.createEvent({
      id: alert.id,
      stamp: new Date(head.sent),
      start: new Date(record.onset),
      end: new Date(Math.max(record.ends, record.onset)),
      summary: `${simulated ? `${SIMULATED}: ` : ''}${head.event}`,
      description: [record.headline, record.description, record.instruction].filter(Boolean).join('\n\n'),
      ...(record.areaDesc && { location: record.areaDesc }),
      url: linkOf(alert, request.base),
      categories: [{ name: record.severity }],
    })
  }
  return calendar.toString()
}
