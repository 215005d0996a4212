import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface Import {
  readonly from: string
  /** A path from the project's root, or the name of a package. */
  readonly to: string
  readonly typeOnly: boolean
}

/** Every TypeScript file that git tracks or would track, from the project's root. */
export function sourceFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs'], {
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => file && !file.includes('/assembly/') && existsSync(file))
}

const STATEMENT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"\n;]*?(?:\n[^'"\n;]*?)*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|new URL\(\s*['"](\.[^'"]+\.ts)['"]/g

export function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const found: Import[] = []
  for (const [, typeWord, plain, lazy, url] of text.matchAll(STATEMENT)) {
    const target = plain ?? lazy ?? url
    found.push({
      from: file,
      to: target.startsWith('.') ? normalize(join(dirname(file), target)) : packageName(target),
      typeOnly: Boolean(typeWord),
    })
  }
  return found
}

function packageName(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]
}
