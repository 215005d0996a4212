import { expect, test } from 'vitest'
import { accepts, formatOf } from '../../../api/http/accept.ts'

/** Headers as clients send them; each allows JSON. */
const headersOfClients = [
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json ; charset="utf-8"',
  'application/json;version=1',
  'application/json; profile="https://example.org/a,b;c"; q=0.9',
  'Application/JSON',
  'application/json, text/plain, */*',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'application/*;q=0.5',
  '*/*;q=0.1',
  '*/* ; q=0.8 ; level=1',
  'text/xml;q=0, application/json',
  'application/problem+json;q=0.5, application/json; odata=verbose',
  ', application/json,',
  'application/json;',
  'application/json;q="1"x, */*',
  '',
]

test.each(headersOfClients)('takes JSON for Accept: %s', (header) => {
  expect(accepts(header, ['application/json', 'application/problem+json'])).toBe(true)
  expect(formatOf(['json'], undefined, header)).toBe('json')
})

test('chooses the form that the weights prefer, whatever else the ranges name', () => {
  const formats = ['json', 'csv', 'ics'] as const
  expect(formatOf(formats, undefined, 'text/csv; header=present, application/json; charset=utf-8; q=0.5')).toBe('csv')
  expect(formatOf(formats, undefined, 'text/csv; q=0.2; header=absent, application/json')).toBe('json')
  expect(formatOf(formats, undefined, 'text/calendar; component=vevent')).toBe('ics')
})

test('refuses what leaves out every form', () => {
  for (const header of [
    'image/png',
    'application/json;q=0',
    'application/json; charset=utf-8; q=0',
    'text/xml; a="application/json"',
  ])
    expect(() => formatOf(['json'], undefined, header), header).toThrow(expect.objectContaining({ status: 406 }))
})
