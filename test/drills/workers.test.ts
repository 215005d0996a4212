import { afterEach, describe, expect, test } from 'vitest'
import { until } from './process.ts'
import { report } from './report.ts'
import { System } from './system.ts'

let system: System | undefined
afterEach(async () => {
  await system?.close()
  system = undefined
})

const hrrr = ['conus', 'alaska']

describe('workers', () => {
  test('two share one run, and no step is done twice', async () => {
    system = await System.open('nbm')
    const workers = [system.start('worker'), system.start('worker')]
    const run = await system.published('nbm', ['conus', 'alaska', 'hawaii'])
    const steps = workers.map(({ steps }) =>
      steps.filter(({ step, outcome }) => step === 'sampleFile' && outcome === 'ok'),
    )
    // A later stage asks for the files of an earlier one too, and finds them done.
    const names = steps.flat().map(({ domains, run, stage, lead }) => `${domains} ${run} ${stage} ${lead}`)
    expect(new Set(names).size).toBe(names.length)
    expect(Math.min(...steps.map(({ length }) => length)), 'files of the lazier worker').toBeGreaterThan(2)
    report(
      'two workers, one NBM run',
      `shared ${steps.map(({ length }) => length).join(' + ')} files of run ${run}; ${await system.whole('nbm', workers)}`,
    )
  })

  test.each([
    ['Temporal', {}],
    ['the queue in the database', { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' }],
  ])('kill -9 in mid-run, on %s: another goes on, and does again only what was not finished', async (queue, over) => {
    system = await System.open('hrrr')
    const first = system.start('worker', over)
    await until('the first files', 120, () => first.steps.filter(({ step }) => step === 'sampleFile').length >= 6)
    await first.end('SIGKILL')
    const second = system.start('worker', over)
    await system.published('hrrr', hrrr)
    const again = second.steps.filter(({ step, outcome }) => step === 'sampleFile' && outcome === 'ok').length
    report(
      `kill -9 of a worker in mid-run, ${queue}`,
      `${await system.whole('hrrr', [first, second])}, ${again} of them by the second`,
    )
  })
})
