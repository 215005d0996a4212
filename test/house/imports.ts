import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface Import {
  readonly from: string
  /** A path relative to the project's root, or the name of a package. */
  readonly to: string
  readonly typeOnly: boolean
}

/** Returns the files that match the patterns and that Git tracks or would track, relative to the project's root. */
function filesInGit(...patterns: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => file && existsSync(file))
}

/** Returns every TypeScript file, without AssemblyScript files, which have the same suffix. */
export const sourceFiles = () => filesInGit('*.ts', '*.mjs').filter((file) => !file.includes('/assembly/'))

/** Returns every AssemblyScript file. */
export const kernelFiles = () => filesInGit('*/assembly/*.ts')

const STATEMENT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"\n;]*?(?:\n[^'"\n;]*?)*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|new URL\(\s*['"](\.[^'"]+\.ts)['"]/g

export function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const imports: Import[] = []
  for (const [, typeWord, plain, lazy, url] of text.matchAll(STATEMENT)) {
    const target = plain ?? lazy ?? url ?? ''
    imports.push({
      from: file,
      to: target.startsWith('.') ? normalize(join(dirname(file), target)) : packageName(target),
      typeOnly: Boolean(typeWord),
    })
  }
  return imports
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
