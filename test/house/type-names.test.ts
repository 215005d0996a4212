import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

/** Names with one meaning in two files of which neither can import the other. */
const allowed: readonly string[] = [
  // The published client uses the API's own names for its schemas.
  'Problem',
]

const files = sourceFiles().filter((file) => !/^test\/|\/test\/|\/assembly\/|\.generated\./.test(file))

test('no type name is declared in two files', () => {
  const places = new Map<string, Set<string>>()
  for (const file of files)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(
      /^\s*(?:export )?(?:declare |abstract )*(?:interface|type|class) (\w+)[^'"\n]*[{=]/gm,
    ))
      places.set(name!, (places.get(name!) ?? new Set()).add(file))
  const wrong = [...places]
    .filter(([name, where]) => where.size > 1 && !allowed.includes(name))
    .map(([name, where]) => `${name}: ${[...where].join(', ')}`)
  expect(wrong).toEqual([])
})
