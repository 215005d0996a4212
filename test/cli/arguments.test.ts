import { expect, test, vi } from 'vitest'
import { parseCommandLine, runVerb } from '../../bin/command-line.ts'
import { verbs as readerVerbs } from '../../bin/verbs/api.ts'
import { datasetNamed, domainsNamed, leadsNamed, pointNamed, runNamed } from '../../bin/verbs/arguments.ts'
import { verbs } from '../../bin/verbs/ingest.ts'
import { verbs as workerVerbs } from '../../bin/verbs/workers.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'

const some = {
  options: { dataset: { type: 'string' }, run: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 1,
} as const

test('accepts options anywhere, with a space or an equals sign, and a negative coordinate as a positional argument', () => {
  const line = parseCommandLine(some, ['39.74,-104.99', '--dataset', 'hrrr', '--run=2026-08-20T12Z', '--json'])
  expect(line.positionals).toEqual(['39.74,-104.99'])
  expect([line.option('dataset'), line.option('run'), line.flag('json')]).toEqual(['hrrr', '2026-08-20T12Z', true])
  expect(parseCommandLine(some, ['-14.3,-170.7']).positionals).toEqual(['-14.3,-170.7'])
})

test('no two verbs have the same name', () => {
  const names = [...verbs, ...workerVerbs, ...readerVerbs].map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test.each(workerVerbs.concat(readerVerbs, verbs).map((verb) => [verb.name, verb] as const))(
  'rejects an unknown option of %s with the nearest option and status 2 before anything is opened',
  async (_, verb) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const known = Object.keys(verb.options ?? {})[0]
    expect(await runVerb(verb, [`--${known ?? 'other'}x`])).toBe(2)
    expect(printed.mock.calls.join()).toContain(known ? `did you mean --${known}?` : 'Options: none')
    printed.mockRestore()
  },
)

test.each([
  [
    () => parseCommandLine(some, ['--dataste', 'x']),
    /unknown option --dataste: did you mean --dataset\? Options: --dataset, --run, --json/,
  ],
  [() => parseCommandLine(some, ['--dataset']), /--dataset needs a value/],
  [() => parseCommandLine(some, ['--dataset=']), /--dataset needs a value/],
  [() => parseCommandLine(some, ['--json=yes']), /--json takes no value, but was given "yes"/],
  [() => parseCommandLine(some, ['-j']), /unknown option -j/],
  [() => parseCommandLine(some, ['--__proto__', 'x']), /unknown option --__proto__/],
  [() => parseCommandLine(some, ['one', 'two']), /unexpected argument "two": only one argument is allowed/],
  [() => datasetNamed('hrr'), /"hrr" is not a dataset; expected one of .*hrrr/],
  [() => runNamed('yesterday'), /"yesterday" is not a run; expected a time such as 2026-08-20T12Z/],
  [() => domainsNamed(hrrr, 'hawaii'), /"hawaii" is not a domain of hrrr; expected conus or alaska/],
  [() => pointNamed('39.74'), /"39\.74" is not a point; expected LAT,LON such as 39\.74,-104\.99/],
  [() => pointNamed('95,10'), /expected LAT,LON/],
  [() => leadsNamed('1,x'), /--leads "1,x" is not a list of hours; expected one such as 1,2,6/],
])('rejects a mistake with what is expected (%#)', (ask, message) => {
  expect(ask).toThrow(message)
})

test('reads places, runs and hours', () => {
  expect(pointNamed('21.3, 202.15')).toEqual({ lat: 21.3, lon: 202.15 - 360 })
  expect(pointNamed('52.9,172.9')).toEqual({ lat: 52.9, lon: 172.9 })
  expect(runNamed('2026-08-20T1215Z')).toBe(Date.UTC(2026, 7, 20, 12, 15))
  expect(runNamed('latest')).toBeUndefined()
  expect([...(leadsNamed('1,6') ?? [])]).toEqual([1, 6])
})

test('explains and declares the options in the usage of every verb', () => {
  for (const { name, usage, help, options = {} } of [...verbs, ...workerVerbs, ...readerVerbs]) {
    expect(usage.startsWith(name)).toBe(true)
    const used = [...new Set(Array.from(usage.matchAll(/--([a-z]+)/g), ([, option = '']) => option))]
    expect(used.sort(), name).toEqual(Object.keys(options).sort())
    for (const option of used) expect(`${help} ${usage}`, `${name} ${option}`).toContain(`--${option}`)
  }
})

test.each(['2020-01-01', 'tomorrow'])(
  'rejects a key that would be expired when it is created: --expires %s',
  async (date) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const keys = readerVerbs.find(({ name }) => name === 'keys')
    if (!keys) throw new Error('there is no verb keys')
    expect(await runVerb(keys, ['create', '--name', 'late', '--expires', date])).toBe(2)
    expect(printed.mock.calls.join()).toContain('is not a date in the future; expected one such as 2')
    printed.mockRestore()
  },
)
