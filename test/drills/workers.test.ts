import { afterEach, describe, expect, test } from 'vitest'
import { type Process, until } from './process.ts'
import { report } from './report.ts'
import { System, upstreamTakes } from './system.ts'

let system: System | undefined
afterEach(async () => {
  await system?.close()
  system = undefined
})

const hrrr = ['conus', 'alaska']

describe('workers', () => {
  test('two workers share a run, and no step runs twice', async () => {
    system = await System.open('nbm')
    const workers = [system.start('worker'), system.start('worker')]
    const run = await system.published('nbm', ['conus', 'alaska', 'hawaii'])
    const steps = workers.map(({ steps }) =>
      steps.filter(({ step, outcome }) => step === 'sampleFile' && outcome === 'ok'),
    )
    // A later stage also needs the files of an earlier stage, which are already sampled.
    const names = steps.flat().map(({ domains, run, stage, lead }) => `${domains} ${run} ${stage} ${lead}`)
    expect(new Set(names).size).toBe(names.length)
    expect(Math.min(...steps.map(({ length }) => length)), 'files of the lazier worker').toBeGreaterThan(2)
    report(
      'two workers, one NBM run',
      `shared ${steps.map(({ length }) => length).join(' + ')} files of run ${run}; ${await system.checkInvariants('nbm', workers)}`,
    )
  })

  test.each([
    ['Temporal', {}],
    ['the queue in the database', { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' }],
  ])(
    'another worker continues after kill -9 during a run and repeats only unfinished work, on %s',
    async (queue, over) => {
      system = await System.open('hrrr')
      await upstreamTakes(0.4)
      const pair = [system.start('worker', over), system.start('worker', over)]
      const files = (worker: Process) =>
        worker.steps.filter(({ step, outcome }) => step === 'sampleFile' && outcome === 'ok')
      const victim = await until('six files of one of two', 120, () => pair.find((worker) => files(worker).length >= 6))
      await victim.end('SIGKILL')
      const killed = performance.now()
      const survivor = pair.find((worker) => worker !== victim)!
      // Only a timeout releases the work of a dead process: single steps on Temporal, whole runs on the queue.
      const wasIts = new Set(files(victim).map(({ domains }) => domains))
      const before = files(survivor).length
      await until('a step of what the killed one had', 180, () =>
        files(survivor)
          .slice(before)
          .some(({ domains }) => wasIts.has(domains)),
      )
      const takeoverSeconds = (performance.now() - killed) / 1000
      // Temporal waits for the timeout of the heartbeat first.
      const most = queue === 'Temporal' ? 240 : 60
      expect(takeoverSeconds, 'seconds until the other took its run up').toBeLessThanOrEqual(most)
      await system.published('hrrr', hrrr)
      const seconds = (performance.now() - killed) / 1000
      report(
        `kill -9 of a worker in mid-run, ${queue}`,
        `${await system.checkInvariants('hrrr', pair)}, ${files(survivor).length} of them by the other; taken up after ${takeoverSeconds.toFixed(0)} s, all published after ${seconds.toFixed(0)} s`,
      )
    },
  )
})
