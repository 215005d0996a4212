import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { Parser } from 'acorn'
import { expect, test } from 'vitest'
import { sourceFiles } from './imports.ts'

interface SyntaxNode {
  readonly type: string
  readonly loc?: { readonly start: { readonly line: number } }
  readonly [member: string]: unknown
}
const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
const childrenOf = (node: SyntaxNode): SyntaxNode[] => Object.values(node).flat().filter(isNode)

/** Whether a statement is an assertion: a call of `expect(…).…`, awaited or not. */
function isAssertion(statement: unknown): boolean {
  if (!isNode(statement) || statement.type !== 'ExpressionStatement') return false
  let node = statement['expression']
  if (isNode(node) && node.type === 'AwaitExpression') node = node['argument']
  while (isNode(node) && (node.type === 'CallExpression' || node.type === 'MemberExpression')) {
    const inner: unknown = node.type === 'CallExpression' ? node['callee'] : node['object']
    if (isNode(inner) && inner.type === 'Identifier') return inner['name'] === 'expect'
    node = inner
  }
  return false
}

/** Lines of `if` statements without `else` in which there is nothing but assertions. */
function conditionalAssertions(source: string): number[] {
  const lines: number[] = []
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'IfStatement' && !node['alternate']) {
      const body = node['consequent'] as SyntaxNode
      const statements = body.type === 'BlockStatement' ? (body['body'] as SyntaxNode[]) : [body]
      if (statements.length > 0 && statements.every(isAssertion)) lines.push(node.loc?.start.line ?? 0)
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(
    Parser.parse(stripTypeScriptTypes(source), {
      sourceType: 'module',
      ecmaVersion: 'latest',
      locations: true,
    }) as unknown as SyntaxNode,
  )
  return lines
}

test('no assertion depends on a condition that may be false in every run', () => {
  const files = sourceFiles().filter((file) => file.startsWith('test/'))
  const violations = files.flatMap((file) =>
    conditionalAssertions(readFileSync(file, 'utf8')).map((line) => `${file}:${line}`),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(violations).toEqual([])
})

test.each([
  ['if (a) expect(a).toBe(1)', [1]],
  ['if (a) {\n  expect(a).toBe(1)\n  await expect(b).rejects.toThrow()\n}', [1]],
  ['if (a) expect(a).toBe(1)\nelse expect(b).toBe(1)', []],
  ['for (const a of list) expect(a).toBe(1)', []],
  ['if (a) {\n  count++\n  expect(a).toBe(1)\n}', []],
])('finds conditional assertions in %j', (source, lines) => {
  expect(conditionalAssertions(source)).toEqual(lines)
})
