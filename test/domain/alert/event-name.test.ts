import { describe, expect, test } from 'vitest'
import { eventNames, readEventName } from '../../../ingest/domain/alert/event-name.ts'

const read = (text: string, active: readonly string[] = []) => readEventName(text, active)

describe('the name of an event', () => {
  test('is recognized in any case and spacing', () => {
    for (const name of eventNames)
      for (const text of [name, name.toLowerCase(), name.toUpperCase(), `  ${name.replaceAll(' ', '  ')} `])
        expect(read(text)).toEqual({ kind: 'known', name })
  })

  test.each([
    ['Tornado Warnin', 'Tornado Warning'],
    ['tornado warnings', 'Tornado Warning'],
    ['Tornado Wraning', 'Tornado Warning'],
    ['tornado_warning', 'Tornado Warning'],
    ['TornadoWarning', 'Tornado Warning'],
    ['Tornado', 'Tornado Warning'],
    ['tor', 'Tornado Warning'],
    ['Severe Thunderstom Waring', 'Severe Thunderstorm Warning'],
    ['Thunderstorm Warning', 'Severe Thunderstorm Warning'],
    ['Flash Flod Warning', 'Flash Flood Warning'],
    ['Red Flag', 'Red Flag Warning'],
    ['Blizard Warning', 'Blizzard Warning'],
    ['Evacuation Immediate', 'Evacuation - Immediate'],
  ])('%s is a misspelling of %s', (text, name) => {
    expect(read(text)).toEqual({ kind: 'misspelled', nearest: expect.arrayContaining([name]) })
  })

  test('recognizes every name with a letter left out, doubled or swapped as a misspelling', () => {
    for (const name of eventNames)
      for (let i = 1; i < name.length - 1; i += 3) {
        const swapped = name.slice(0, i) + name[i + 1] + name[i] + name.slice(i + 2)
        for (const text of [name.slice(0, i) + name.slice(i + 1), name.slice(0, i) + name[i] + name.slice(i), swapped])
          expect([text, read(text).kind]).toEqual([text, expect.stringMatching(/^(?:misspelled|known)$/)])
      }
  })

  test.each(['Meteor Warning', 'Space Weather Alert', 'Snow Squall Watch', 'Locust Advisory', 'Tornado Emergency'])(
    '%s is unknown, and known while an alert has it',
    (name) => {
      expect(read(name)).toEqual({ kind: 'unknown', name })
      expect(read(name.toLowerCase(), [name])).toEqual({ kind: 'known', name })
      expect(read(`${name}s`, [name])).toEqual({ kind: 'misspelled', nearest: [name] })
    },
  )

  test.each(['', ' ', '??', '<b>bold</b>', '12345', 'a;b', '{"event":1}', 'x'.repeat(200)])(
    '%j is unreadable',
    (text) => {
      expect(read(text)).toEqual({ kind: 'unreadable' })
    },
  )
})
