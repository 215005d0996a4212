/**
 * Measures three ways to read an element of a typed array in a loop: as a number without a check (`values[i]!`), with a
 * default (`values[i] ?? NaN`), and by `nth`, which throws for an absent element and is shared by lists of all kinds.
 *
 * node test/bench/elements.ts        some seconds
 */
import { nth } from '../../ingest/domain/nth.ts'

const SIZE = 1_000_000
const ROUNDS = 40
const values = Float32Array.from({ length: SIZE }, (_, i) => i % 97)
const others = [[1, 2], [0.5], ['a'], new Uint8Array(2), new Int16Array(2), new Float64Array(2), 'text']

const loops: Record<string, () => number> = {
  'values[i]!': () => {
    let sum = 0
    for (let i = 0; i < values.length; i++) sum += values[i]!
    return sum
  },
  'values[i] ?? NaN': () => {
    let sum = 0
    for (let i = 0; i < values.length; i++) sum += values[i] ?? Number.NaN
    return sum
  },
  'nth(values, i)': () => {
    let sum = 0
    for (let i = 0; i < values.length; i++) sum += nth(values, i)
    return sum
  },
}

for (const list of others) for (let i = 0; i < 1000; i++) nth<unknown>(list, 0)
for (const [name, loop] of Object.entries(loops)) {
  for (let round = 0; round < 5; round++) loop()
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now()
    loop()
    return performance.now() - began
  })
  const median = times.sort((a, b) => a - b)[ROUNDS >> 1]
  console.log(`${name.padEnd(18)} ${((1e6 * (median ?? 0)) / SIZE).toFixed(2)} ns an element`)
}
