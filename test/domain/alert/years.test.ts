import { describe, expect, it } from 'vitest'
import type { AlertHead, Vtec } from '../../../ingest/domain/alert/alert.ts'
import { decide, type StoredAlert } from '../../../ingest/domain/alert/lifecycle.ts'
import { tracksOf } from '../../../ingest/domain/alert/track.ts'
import { DAY, HOUR } from '../../../ingest/domain/time.ts'

const NEW_YEAR = Date.UTC(2027, 0, 1)

/** A message of wind advisory 1 of one office. Times are hours of the new year. */
function head(
  id: string,
  action: Vtec['action'],
  sent: number,
  [begin, end]: readonly [number | undefined, number | undefined],
  over: Partial<AlertHead> = {},
): AlertHead {
  const at = (hours: number | undefined) => (hours === undefined ? undefined : NEW_YEAR + hours * HOUR)
  return {
    id,
    fingerprint: `print of ${id}`,
    status: 'Actual',
    kind: action === 'NEW' ? 'Alert' : action === 'UPG' || action === 'CAN' ? 'Cancel' : 'Update',
    event: 'Wind Advisory',
    sent: at(sent)!,
    expiration: at(end ?? 1000)!,
    past: false,
    vtec: [
      {
        ...{ productClass: 'O', action, office: 'KPUB', phenomenon: 'WI', significance: 'Y', etn: 1 },
        ...{ begin: at(begin), end: at(end) },
      },
    ],
    areas: ['COZ084', 'COZ085'],
    polygon: false,
    references: [],
    retires: [],
    ...over,
  }
}

/** Returns the shown alerts after each feed, beginning with an empty store. */
function play(...feeds: (readonly [hour: number, ...heads: AlertHead[]])[]): string[] {
  let stored: StoredAlert[] = []
  return feeds.map(([hour, ...heads]) => {
    stored = [...decide(stored, { kind: 'read', heads }, NEW_YEAR + hour * HOUR).alerts.values()]
    return stored
      .flatMap((alert) => (alert.shown ? [alert.head.id] : []))
      .sort()
      .join()
  })
}

const years = (...heads: AlertHead[]) => {
  const tracks = tracksOf(heads)
  return heads.map(({ id }) =>
    tracks
      .get(id)!
      .map(({ key }) => key.slice(-4))
      .join(),
  )
}

const oldTimes = [20, 32] as const
const newTimes = [44, 56] as const
const unknown = { references: ['of-december'] }

describe('advisory 1 of the old year and advisory 1 of the new year, on a first start in January', () => {
  it.each([
    ['m', 'n'],
    ['n', 'm'],
  ])('are two events, whatever their ids (%s, %s)', (oldId, newId) => {
    for (const newSent of [5, 5.5, 4.5]) {
      const old = head(oldId, 'CON', 5, oldTimes, unknown)
      const fresh = head(newId, 'NEW', newSent, newTimes)
      expect(years(old, fresh)).toEqual(['2026', '2027'])
      for (const action of ['UPG', 'CAN'] as const) {
        const ending = head('o', action, 12, oldTimes, { references: [oldId] })
        const shown = play([6, old, fresh], [12, old, fresh, ending], [12.1, fresh, ending], [14, fresh], [14.1, fresh])
        expect(shown).toEqual(['m,n', newId, newId, newId, newId])
      }
    }
  })

  it.each([
    ['with its times, without references', oldTimes, []],
    ['with its times, and a reference that nobody knows', oldTimes, ['of-december']],
    ['with its end only, after it began', [undefined, 32], []],
  ] as const)('end by themselves %s', (_, times, references) => {
    const old = head('m', 'CON', 5, oldTimes, unknown)
    const fresh = head('n', 'NEW', 5, newTimes)
    const ending = head('o', 'CAN', 22, times, { references })
    expect(play([6, old, fresh], [22, old, fresh, ending], [23, fresh], [23.1, fresh])).toEqual(['m,n', 'n', 'n', 'n'])
    // The old message was never read.
    expect(play([6, fresh], [22, fresh, ending], [23, fresh], [23.1, fresh])).toEqual(['n', 'n', 'n', 'n'])
  })

  it('are two events if their times overlap', () => {
    const fresh = head('n', 'NEW', 5, [25, 40])
    expect(years(head('m', 'CON', 7, oldTimes, unknown), fresh)).toEqual(['2026', '2027'])
    expect(years(head('m', 'CAN', 7, [undefined, 32]), fresh)).toEqual(['2026', '2027'])
  })

  it('are two events if neither NEW was read', () => {
    const old = head('m', 'CON', 5, oldTimes, unknown)
    const fresh = head('n', 'CON', 8, newTimes, { references: ['of-this-morning'] })
    const ending = head('o', 'UPG', 12, oldTimes, { references: ['m'] })
    expect(play([8.5, old, fresh], [12, old, fresh, ending], [12.1, fresh], [12.2, fresh])).toEqual([
      'm,n',
      'n',
      'n',
      'n',
    ])
  })

  it('use the old year if the event began in it', () => {
    expect(years(head('m', 'CON', 5, [-8, 30], unknown))).toEqual(['2026'])
    expect(years(head('m', 'CON', 5, [-8, undefined], unknown), head('n', 'NEW', 6, newTimes))).toEqual([
      '2026',
      '2027',
    ])
  })
})

describe('one event', () => {
  it('continues with an update without references that has the same begin or end', () => {
    const fresh = head('n', 'NEW', 5, newTimes)
    for (const times of [newTimes, [44, 60], [40, 56], [undefined, 56]] as const)
      expect(years(fresh, head('o', 'CON', 46, times)), String(times)).toEqual(['2027', '2027'])
    expect(years(fresh, head('o', 'EXT', 30, [70, 90]))).toEqual(['2027', '2027'])
    expect(years(fresh, head('o', 'EXT', 30, [70, 90], { references: ['n'] }))).toEqual(['2027', '2027'])
  })

  it('continues with any times later in the year', () => {
    const june = (182 * DAY) / HOUR
    const fresh = head('n', 'NEW', june, [june + 44, june + 56])
    expect(years(fresh, head('o', 'CON', june + 10, [june + 70, june + 90], unknown))).toEqual(['2027', '2027'])
    expect(years(fresh, head('o', 'CON', june, [june + 70, june + 90], unknown))).toEqual(['2027', '2027'])
  })

  it('of the old year is corrected in the new year', () => {
    const old = head('m', 'NEW', -1, oldTimes)
    const corrected = head('o', 'NEW', 1, oldTimes, { references: ['m'] })
    expect(years(old, corrected, head('p', 'CON', 3, oldTimes, { references: ['o'] }))).toEqual([
      '2026',
      '2026',
      '2026',
    ])
  })
})
