import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
const documents = listed.split('\n').filter((path) => path && existsSync(path))

/** Returns the text outside code blocks and code spans. */
const prose = (path: string) =>
  readFileSync(path, 'utf8')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '')

/** Returns the anchor that GitHub gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const anchors = (path: string) =>
  Array.from(readFileSync(path, 'utf8').matchAll(/^#{1,6} (.+)$/gm), ([, heading = '']) => anchorOf(heading))

test('each link of a document leads to an existing file and heading, and not to the document itself', () => {
  let links = 0
  const broken: string[] = []
  for (const path of documents) {
    for (const [, target = ''] of prose(path).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?|mailto):/.test(target)) continue
      links++
      const [file, anchor] = target.split('#') as [string, string | undefined]
      const to = file === '' ? path : normalize(join(dirname(path), file))
      const isBroken =
        !existsSync(to) ||
        (anchor === undefined && to === path) ||
        (anchor !== undefined && to.endsWith('.md') && !anchors(to).includes(anchor))
      if (isBroken) broken.push(`${path}: ${target}`)
    }
  }
  expect(links).toBeGreaterThan(30)
  expect(broken).toEqual([])
})
