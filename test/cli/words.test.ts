import { expect, test, vi } from 'vitest'
import { verbs as readerVerbs } from '../../api/cli.ts'
import { datasetNamed, domainsNamed, leadsNamed, pointNamed, readWords, runNamed } from '../../ingest/cli/words.ts'
import { verbs } from '../../ingest/cli.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'

test('options stand anywhere, with a space or an equals sign; a longitude is no option', () => {
  const words = readWords(
    ['39.74,-104.99', '--dataset', 'hrrr', '--run=2026-08-20T12Z', '--json'],
    ['dataset', 'run'],
    ['json'],
  )
  expect(words.plain).toEqual(['39.74,-104.99'])
  expect([words.option('dataset'), words.option('run'), words.flag('json')]).toEqual(['hrrr', '2026-08-20T12Z', true])
  expect(readWords(['-14.3,-170.7'], []).plain).toEqual(['-14.3,-170.7'])
})

test.each([
  [() => readWords(['--dataste', 'x'], ['dataset']), /unknown option --dataste; known: --dataset/],
  [() => readWords(['--dataset'], ['dataset']), /--dataset wants a value/],
  [() => datasetNamed('hrr'), /wanted a dataset \(.*hrrr.*\), got "hrr"/],
  [() => runNamed('yesterday'), /wanted a run such as 2026-08-20T12Z, got "yesterday"/],
  [() => domainsNamed(hrrr, 'hawaii'), /hrrr: wanted a domain \(conus, alaska\), got "hawaii"/],
  [() => pointNamed('39.74'), /wanted LAT,LON such as 39\.74,-104\.99, got "39\.74"/],
  [() => pointNamed('95,10'), /wanted LAT,LON/],
  [() => leadsNamed('1,x'), /wanted hours such as 1,2,6, got "1,x"/],
])('what is wrong is said with a right example (%#)', (ask, message) => {
  expect(ask).toThrow(message)
})

test('places, runs and hours are read', () => {
  expect(pointNamed('21.3, 202.15')).toEqual({ lat: 21.3, lon: 202.15 - 360 })
  expect(pointNamed('52.9,172.9')).toEqual({ lat: 52.9, lon: 172.9 })
  expect(runNamed('2026-08-20T1215Z')).toBe(Date.UTC(2026, 7, 20, 12, 15))
  expect(runNamed('latest')).toBeUndefined()
  expect([...leadsNamed('1,6')!]).toEqual([1, 6])
})

test('every verb teaches what its usage names', () => {
  for (const { name, usage, help } of verbs) {
    expect(usage.startsWith(name)).toBe(true)
    for (const [option] of usage.matchAll(/--[a-z]+/g)) expect(help, `${name} ${option}`).toContain(option)
  }
})

test.each(['2020-01-01', 'tomorrow'])(
  'a key that would be over when it is made is refused: --expires %s',
  async (date) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const keys = readerVerbs.find(({ name }) => name === 'keys')!
    expect(await keys.run(['create', '--name', 'late', '--expires', date])).toBe(2)
    expect(said.mock.calls.join()).toContain(`wants a date to come, such as 2`)
    said.mockRestore()
  },
)
