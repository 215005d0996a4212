import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTextItem, readTextList, readTexts } from '../../../ingest/decode/text/item.ts'
import { sectionName, sectionsOf, sectionTexts, sectionTitle } from '../../../ingest/decode/text/section.ts'
import { readUgc } from '../../../ingest/decode/text/segment.ts'
import { bulletsOf, sentencesOf, shortened } from '../../../ingest/decode/text/words.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import type { TextList } from '../../../ingest/domain/text/product.ts'
import { files, folder, onlyIssue, readFile, transmission } from './files.ts'

const minuteOf = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString().slice(0, 16))
const noon = Date.UTC(2026, 8, 4, 12)
const read = (body: string, awips: string, heading = `FXUS61 KBOX 041200`) =>
  onlyIssue(transmission(heading, awips, body), awips.slice(0, 3) as TextList['type'], nth(heading.split(' '), 1), noon)
const reasons = (body: string, awips: string, heading = 'FXUS61 KBOX 041200', office = 'KBOX') =>
  readTexts(
    transmission(heading, awips, body),
    { type: awips.slice(0, 3) as TextList['type'] },
    { office, issuedAt: noon },
  ).rejected.map(({ reason }) => reason)

describe('words', () => {
  test('sentences', () => {
    expect(
      sentencesOf(
        'Highs near 1.5 miles from St. Paul at 3 p.m. Friday. The U.S. Model agrees... Rain ends by 6 AM! "Dry." Then 2 more.',
      ),
    ).toEqual([
      'Highs near 1.5 miles from St. Paul at 3 p.m. Friday.',
      'The U.S. Model agrees...',
      'Rain ends by 6 AM!',
      '"Dry."',
      'Then 2 more.',
    ])
    expect(sentencesOf('FRONT STALLS...LATEST RUNS AGREE. SLIM CHANCE')).toEqual([
      'FRONT STALLS...LATEST RUNS AGREE.',
      'SLIM CHANCE',
    ])
    expect(sentencesOf('')).toEqual([])
  })

  test('reads bullets with every mark and over several lines', () => {
    expect(
      bulletsOf(['intro', '- one', '  goes on', '* two', '', 'outside', '• three', '4. four', '-5 is no bullet']),
    ).toEqual(['one goes on', 'two', 'three', 'four -5 is no bullet'])
  })

  test('limits a text to 400 characters, and cuts between words', () => {
    const long = shortened('word '.repeat(200))
    expect([long.length <= 400, long.endsWith('word…')]).toEqual([true, true])
    expect(shortened('x'.repeat(500))).toBe(`${'x'.repeat(399)}…`)
    expect(shortened('short')).toBe('short')
  })
})

describe('sections', () => {
  test.each([
    ['.SYNOPSIS...', 'SYNOPSIS', ''],
    ['.NEAR TERM /THROUGH TONIGHT/...', 'NEAR TERM', ''],
    ['.NEAR TERM /TODAY...TONIGHT/...', 'NEAR TERM', ''],
    ['.SHORT TERM...(Tonight through Monday)', 'SHORT TERM', '(Tonight through Monday)'],
    ['..Synopsis...', 'Synopsis', ''],
    ['.AVIATION....', 'AVIATION', ''],
    ['.UPDATE...Updated aviation.', 'UPDATE', 'Updated aviation.'],
    [
      '.PREV DISCUSSION... /ISSUED 1126 AM CDT Sat Mar 31 2018/',
      'PREV DISCUSSION',
      '/ISSUED 1126 AM CDT Sat Mar 31 2018/',
    ],
    ['.OKX WATCHES/WARNINGS/ADVISORIES...', 'OKX WATCHES/WARNINGS/ADVISORIES', ''],
  ])('%s', (line, title, tail) => expect(sectionTitle(line)).toEqual({ title, tail }))

  test.each([
    '...WIND ADVISORY IN EFFECT...',
    '..COHEN.. 07/26/2013',
    'LONG TERM....09',
    ' .SYNOPSIS...',
    '.',
    '.a',
    '.5 inches...',
  ])('%s is no section', (line) => expect(sectionTitle(line)).toBeUndefined())

  test('names', () => {
    expect(
      [
        'OKX WATCHES/WARNINGS/ADVISORIES',
        'SHORT TERM',
        'TIDES/COASTAL FLOODING',
        'PREV DISCUSSION',
        'PREVIOUS DISCUSSION',
      ].map(sectionName),
    ).toEqual([
      'watches_warnings_advisories',
      'short_term',
      'tides_coastal_flooding',
      'previous_discussion',
      'previous_discussion',
    ])
  })

  test('end at && and $$, drop their preamble, and are joined if a name occurs twice', () => {
    const text = [
      '.UPDATE...',
      '(Through today)',
      'Issued at 948 AM EDT Fri Sep 27 2024',
      '',
      'first line ',
      '  goes on',
      '',
      'second',
      '&&',
      'stray',
      '.UPDATE...more',
      '$$',
      '.AFTER...x',
    ]
    expect(sectionTexts(sectionsOf(text.slice(0, 12)))).toEqual({ update: 'first line goes on\n\nsecond\n\nmore' })
  })
})

describe('UGC lines', () => {
  test('reads ranges over several lines, and ignores text that looks like a range', () => {
    expect(readUgc(['IAZ004>006-015-INZ001-', 'LMZ740-092130-'], 0)).toEqual({
      zones: ['IAZ004', 'IAZ005', 'IAZ006', 'IAZ015', 'INZ001', 'LMZ740'],
      ddhhmm: '092130',
      next: 2,
    })
    expect(readUgc(['MIZ000-WIZALL-260415-'], 0)!.zones).toEqual(['MIZ000', 'WIZ000'])
    expect(readUgc(['NYZ075-080', 'and so on'], 0)).toBeUndefined()
    expect(readUgc(['NYZ075-080-'], 0)).toBeUndefined()
    expect(readUgc(['SYNOPSIS'], 0)).toBeUndefined()
  })
})

describe('AFD', () => {
  const afd = (sections: string) =>
    read(`Area Forecast Discussion\n800 AM EDT Fri Sep 4 2026\n\n${sections}\n\n$$\nJE`, 'AFDBOX')

  test('uses the first bullet as takeaway, else a sentence by the order of sections', () => {
    expect(afd('.KEY MESSAGES...\n1. Flooding\n   likely.\n2. Wind.').afd!.key_takeaway).toBe('Flooding likely.')
    expect(afd('.KEY MESSAGES...\nHot. Dry.').afd!.key_takeaway).toBe('Hot.')
    expect(afd('.SHORT TERM...\nS. X\n\n.DISCUSSION...\nD one. D two.').afd!.key_takeaway).toBe('D one.')
    expect(afd('.AVIATION...\nVFR. ').afd).toEqual({})
  })

  test('returns at most three sentences of confidence, none of them from AVIATION', () => {
    const confident = afd(
      '.SYNOPSIS...\nHigh confidence in rain. Dry later.\n\n.AVIATION...\nLow confidence in fog.\n\n.LONG TERM...\nUncertainty grows. Model spread is large. Confident of heat.',
    )
    expect(confident.afd!.confidence).toBe('High confidence in rain. Uncertainty grows. Model spread is large.')
  })

  test('keeps a text current for 24 hours, in order, with its times', () => {
    const issue = read('800 AM EDT Fri Sep 4 2026\n.X...\n$$', 'AFDBOX', 'FXUS61 KBOX 041159 AAB')
    expect([
      issue.bbb,
      minuteOf(issue.wmoAt),
      minuteOf(issue.issuedAt),
      minuteOf(issue.currentUntil),
      issue.expiresAt,
    ]).toEqual(['AAB', '2026-09-04T11:59', '2026-09-04T12:00', '2026-09-05T12:00', undefined])
    expect(issue.subject).toBe('afd AFDBOX KBOX')
  })

  test('rejects a text without $$, of another office or of another kind', () => {
    expect(reasons('.SYNOPSIS...\nx', 'AFDBOX')).toEqual(['cut'])
    expect(reasons('.SYNOPSIS...\nx\n$$', 'AFDBOX', 'FXUS61 KOKX 041200')).toEqual(['wrong_office'])
    expect(reasons('.SYNOPSIS...\nx\n$$', 'AFDBOX', 'FXUS61 KBOX 412500')).toEqual(['no_time'])
    const other = readTexts(
      transmission('FXUS61 KBOX 041200', 'HWOBOX', 'x\n$$'),
      { type: 'AFD' },
      { office: 'KBOX', issuedAt: noon },
    )
    expect(other.rejected).toMatchObject([{ reason: 'wrong_kind' }])
  })
})

describe('HWO', () => {
  const hwo = (dayOne: string, later: string, tail = '') =>
    nth(
      read(
        `Hazardous Weather Outlook\n800 AM EDT Fri Sep 4 2026\n\nMAZ002>004-AMZ710-051200-\nNames-\n800 AM EDT Fri Sep 4 2026\n\nThis outlook is for x.\n\n.DAY ONE...Today and tonight.\n\n${dayOne}\n\n.DAYS TWO THROUGH SEVEN...Saturday through Thursday.\n\n${later}\n\n.SPOTTER INFORMATION STATEMENT...\n\nSpotters may be needed for storms.\n${tail}\n$$\nJE`,
        'HWOBOX',
      ).segments!,
      0,
    )
  const quiet = 'No hazardous weather is expected at this time.'

  test('recognizes all forms of quiet weather, and exceptions to it', () => {
    const calm = [
      quiet,
      'The probability for widespread hazardous weather is low.',
      'Hazardous weather is not expected at this time.',
      `${quiet}\n\nMore detailed information can be found at...\nhttp://www.weather.gov/box`,
      `${quiet} Please listen to NOAA Weather Radio for updates.`,
    ]
    expect(calm.map((text) => hwo(text, quiet).has_active_hazards)).toEqual(calm.map(() => false))
    const active = [
      'Thunderstorms are possible.',
      `${quiet} Patchy frost is possible.`,
      'No hazardous weather is expected except for fog.',
      'No hazardous weather is expected, but gusts reach 40 mph.',
    ]
    expect(active.map((text) => hwo(text, quiet).has_active_hazards)).toEqual(active.map(() => true))
    expect(hwo(quiet, 'Snow is possible Sunday.').has_active_hazards).toBe(true)
    expect(hwo(quiet, quiet, '\n...WIND ADVISORY IN EFFECT...').has_active_hazards).toBe(true)
    expect(hwo('', '').has_active_hazards).toBe(true)
  })

  test('reads parts, summary, end, and zones except marine zones', () => {
    const segment = hwo(quiet, 'Snow is possible Sunday.\n\nMore later.')
    expect(segment).toMatchObject({
      zones: ['MAZ002', 'MAZ003', 'MAZ004'],
      day_one: quiet,
      summary: 'Snow is possible Sunday.',
      sections: { days_two_through_seven: 'Snow is possible Sunday.\n\nMore later.' },
    })
    expect(minuteOf(segment.endsAt)).toBe('2026-09-05T12:00')
    expect(segment.body.startsWith('Hazardous Weather Outlook\n')).toBe(true)
    expect(hwo(quiet, quiet).summary).toBe(quiet)
  })

  test('keeps a hazard on the line of the heading', () => {
    const segment = nth(
      read(
        'HWO\n800 AM EDT Fri Sep 4 2026\n\nMAZ002-051200-\n800 AM EDT Fri Sep 4 2026\n\n.DAY ONE...Heavy snow tonight.\n\n$$',
        'HWOBOX',
      ).segments!,
      0,
    )
    expect(segment).toMatchObject({ day_one: 'Heavy snow tonight.', has_active_hazards: true })
  })
})

test('reads an HLS: UGC before the heading, whole text, headline, underlined sections, at most 12 hours', () => {
  const issue = read(
    [
      'FLZ052-055>057-061200-',
      '',
      'Hurricane Helene Local Statement Advisory Number 14',
      'National Weather Service Tampa Bay Ruskin FL  AL092024',
      '800 AM EDT Fri Sep 4 2026',
      '',
      'This product covers west central Florida',
      '',
      '**Helene continues to',
      'approach the coast**',
      '',
      'NEW INFORMATION',
      '---------------',
      '',
      '* CHANGES TO WATCHES AND WARNINGS:',
      '    - None',
      '',
      'SITUATION OVERVIEW',
      '------------------',
      'Helene is strong.',
      '',
      '$$',
    ].join('\n'),
    'HLSTBW',
    'WTUS82 KTBW 041200',
  )
  expect(issue.segments![0]).toMatchObject({
    zones: ['FLZ052', 'FLZ055', 'FLZ056', 'FLZ057'],
    summary: 'Helene continues to approach the coast',
    sections: { situation_overview: 'Helene is strong.', new_information: '* CHANGES TO WATCHES AND WARNINGS: - None' },
    body: issue.body,
  })
  expect([minuteOf(issue.currentUntil), minuteOf(issue.expiresAt)]).toEqual(['2026-09-05T00:00', '2026-09-06T12:00'])
})

describe('MCD and MPD', () => {
  const mcd = (change: (text: string) => string = (text) => text) =>
    reasons(
      change(
        'SPC MCD 041159\nMAZ000-041400-\n\nMesoscale Discussion 0301\nNWS\n0700 AM CDT Fri Sep 4 2026\n\nValid 041159Z - 041400Z\n\nSUMMARY...x\n\nLAT...LON   41607415 42157315\n            42717241\n',
      ),
      'SWOMCD',
      'ACUS11 KWNS 041200',
      'KWNS',
    )

  test('rejects a discussion without number, VALID or three corners', () => {
    expect(mcd()).toEqual([])
    expect(mcd((text) => text.replace('0301', ''))).toEqual(['no_number'])
    expect(mcd((text) => text.replace('Valid 041159Z', 'Valid'))).toEqual(['no_valid_time'])
    expect(mcd((text) => text.replace('- 041400Z', '- 041100Z'))).toEqual(['no_valid_time'])
    expect(mcd((text) => text.replace('42717241', '42157315'))).toEqual(['no_polygon'])
    expect(mcd((text) => text.replace('LAT...LON', 'LAT LON'))).toEqual(['no_polygon'])
    // Covering each line with cells would take seconds.
    expect(mcd((text) => text.replace('42717241', '20001000 48006500 '.repeat(400)))).toEqual(['no_polygon'])
  })

  test('ignores other products of these types without rejecting them', () => {
    const ignored = (awips: string) =>
      readTexts(
        transmission('FXUS61 KWNH 041200', awips, 'x'),
        { type: awips.slice(0, 3) as TextList['type'] },
        { office: 'KWNH', issuedAt: noon },
      )
    for (const awips of ['PMDSA', 'FFGATL', 'SWOSPC', 'HWOSPN']) {
      expect(ignored(awips)).toEqual({ issues: [], rejected: [], ignored: [awips] })
    }
  })
})

describe.skipIf(files.length === 0)('real texts (../shared/fixtures)', () => {
  const faultOf = (name: string) => {
    try {
      const { issues, rejected, ignored } = readFile(name)
      return issues.length > 0 ? undefined : (rejected[0]?.reason ?? ignored[0])
    } catch (error) {
      if (!isFault(error, 'Corrupt')) throw error
      return error.details['reason']
    }
  }

  test('decodes all texts except a test item, a stub and the text in Spanish', () => {
    const failed = files.flatMap((name) =>
      faultOf(name) === undefined ? [] : [[name.replace(/.*\//, ''), faultOf(name)]],
    )
    expect(files.length).toBeGreaterThan(45)
    expect(failed).toEqual([
      ['798a1c6b-1317-4a4c-bb68-71091b3003da.json', 'no_heading'],
      ['AFD_noMND.txt', 'cut'],
      ['HWOSPN.txt', 'HWOSPN'],
    ])
  })

  test('finds a takeaway in every AFD that is a whole sentence of the text', () => {
    for (const name of files.filter((name) => name.startsWith('afd'))) {
      if (faultOf(name) !== undefined) continue
      const [{ afd, body, sections }] = readFile(name).issues as [ReturnType<typeof readFile>['issues'][0]]
      expect(afd!.key_takeaway, name).toBeTruthy()
      expect(Object.keys(sections).length, name).toBeGreaterThan(3)
      const flat = body.replace(/\s+/g, ' ')
      expect(flat, name).toContain(afd!.key_takeaway!.replace(/…$/, '').replace(/\s+/g, ' '))
    }
  })

  test('reads the outlook of Des Moines as quiet, and those of Chicago and Kansas City as not quiet', () => {
    const hazards = (name: string) =>
      nth(readFile(name).issues, 0).segments!.map((segment) => segment.has_active_hazards)
    expect(hazards('hwo/pyiem/HWODMX_nowx.txt')).toEqual([false])
    expect([hazards('hwo/pyiem/HWO.txt'), hazards('hwo/pyiem/HWOLOT.txt'), hazards('hwo/pywwa/HWO.txt')]).toEqual([
      [true],
      [true],
      [true],
    ])
  })

  test('reads the headlines of the short-range discussion', () => {
    expect(nth(readFile('pmd/web/PMDSPD_20141222.txt').issues, 0).summary).toMatch(
      /^DEVELOPING STORM SYSTEM .* THIS WEEK; PERIODS OF RAIN .*; SHOWERS AND/,
    )
  })

  test('reads the days of the convective outlooks', () => {
    const days = files.filter((name) => name.startsWith('swo')).map((name) => nth(readFile(name).issues, 0))
    expect(days.map(({ day }) => day).sort()).toEqual([1, 1, 3, 4])
    expect(days.every(({ summary, expiresAt, issuedAt }) => summary && expiresAt! > issuedAt)).toBe(true)
  })

  test('reads lists, the newest item first', () => {
    const lists = join(folder, 'afd/api-json/weather.gov/listings')
    for (const name of readdirSync(lists)) {
      const { items, unreadable } = readTextList(readFileSync(join(lists, name), 'utf8'))
      expect(unreadable, name).toBe(0)
      expect(items.length, name).toBeGreaterThan(0)
      expect(
        items.map(({ issuedAt }) => -issuedAt),
        name,
      ).toEqual(items.map(({ issuedAt }) => -issuedAt).sort((a, b) => a - b))
    }
  })
})

test('rejects documents that are not an item or a list', () => {
  const reason = (work: () => unknown) => {
    try {
      return work()
    } catch (error) {
      return isFault(error, 'Corrupt') ? error.details['reason'] : error
    }
  }
  expect(reason(() => readTextItem('<html>'))).toBe('html')
  // The database rejects half of a surrogate pair; a NUL leads to the rejection of the product.
  expect(readTextItem('{"productText":"a\\ud800"}')).toBe('a\ufffd')
  expect(reason(() => readTextItem('{"productText": 5}'))).toBe('not_json')
  expect(reason(() => readTextItem('[]'))).toBe('not_json')
  expect(reason(() => readTextList('{}'))).toBe('not_json')
  expect(
    readTextList(
      '{"@graph":[{"id":"../../x"},5,{"id":"0123456789","issuingOffice":"KBOX","issuanceTime":"2026-09-04T12:00:00+00:00"}]}',
    ),
  ).toEqual({
    items: [{ id: '0123456789', office: 'KBOX', issuedAt: noon }],
    unreadable: 2,
  })
})
