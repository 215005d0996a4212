import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { Parser } from 'acorn'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

/** Words that do not say what a value is. No declared name ends with one of them. */
const vague: readonly string[] = ['asked', 'found', 'given', 'gone', 'kept', 'made', 'one', 'told']
/** The first day of a hazardous weather outlook has this name in the API. */
const allowed: readonly string[] = ['dayOne', 'day_one']

interface SyntaxNode {
  readonly type: string
  readonly [member: string]: unknown
}
const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
const childrenOf = (node: SyntaxNode): SyntaxNode[] => Object.values(node).flat().filter(isNode)

/** Returns the nodes in which a node declares names: variables, functions, classes, parameters and imports. */
function targetsOf(node: SyntaxNode): unknown[] {
  if (node.type === 'VariableDeclarator') return [node['id']]
  if (node.type === 'CatchClause') return [node['param']]
  if (/^Import.*Specifier$/.test(node.type)) return [node['local']]
  return /^(?:Function|ArrowFunction|Class)/.test(node.type) ? [node['id'], node['params']].flat() : []
}

/** Returns the identifiers that a declared node binds, also those of nested patterns. */
function bindings(target: unknown): SyntaxNode[] {
  if (!isNode(target)) return []
  if (target.type === 'Identifier') return [target]
  if (target.type === 'AssignmentPattern') return bindings(target['left'])
  if (target.type === 'Property') return bindings(target['value'])
  return childrenOf(target).flatMap(bindings)
}

const lastWord = (name: string) =>
  name
    .split(/_|(?<=[a-z0-9])(?=[A-Z])/)
    .at(-1)
    ?.toLowerCase() ?? ''

/** Returns the declared names of a file that end with a vague word. */
function vagueNames(source: string): string[] {
  const names = Array.from(source.matchAll(/^ *(?:export )?(?:interface|type) (\w+)/gm), ([, name = '']) => name)
  const visit = (node: SyntaxNode): void => {
    for (const { name } of targetsOf(node).flatMap(bindings)) names.push(String(name))
    for (const child of childrenOf(node)) visit(child)
  }
  visit(
    Parser.parse(stripTypeScriptTypes(source), {
      sourceType: 'module',
      ecmaVersion: 'latest',
      allowHashBang: true,
    }) as unknown as SyntaxNode,
  )
  return names.filter((name) => vague.includes(lastWord(name)) && !allowed.includes(name))
}

test('every declared name says what the thing is', () => {
  const files = sourceFiles().filter((file) => !file.includes('.generated.'))
  const violations = files.flatMap((file) => vagueNames(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`))
  expect(files.length).toBeGreaterThan(1000)
  expect(violations).toEqual([])
})

test.each([
  ['const found = 1', ['found']],
  ['list.map((one) => one.id)', ['one']],
  ['for (const { id: given, rest: [asked = 1] } of list) f(given, asked)', ['given', 'asked']],
  ['function f({ kept }: A, ...made: B[]): void {}\ninterface Told {}', ['Told', 'kept', 'made']],
  ['const day_one = { found: 1 }\nconst rows = day_one.found', []],
])('finds vague names in %j', (source, names) => {
  expect(vagueNames(source)).toEqual(names)
})
