import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './process.ts'

const run = promisify(execFile)

/** The version of the previous release: lower than that of this tree, so that Temporal distinguishes both. */
export const PREVIOUS_VERSION = '0.0.9'

/** What the migrations of a release may do to tables that the previous one uses: they add columns, and a table. */
const EXPANSION = [
  "alter table pointer add column drill integer not null default 0; select keep_versions('pointer')",
  `alter table run add column drill integer not null default 0;
   select keep_versions('run', 'reason', 'wanted', 'got', 'missing', 'claimed_at', 'ended_at')`,
  `alter table feed_state add column drill text;
   select keep_versions('feed_state', 'etag', 'last_modified', 'digest', 'looked_at', 'failed_at', 'rejected')`,
  "alter table alert add column drill text; select keep_versions('alert', 'absences', 'track')",
  'alter table alert_change add column drill text',
  'alter table outbox add column drill text',
  'alter table served_state add column drill text',
  'alter table api_key add column drill text',
  'alter table metrics_lease add column drill text',
  'create table drill (id integer primary key)',
]

export interface Release {
  readonly folder: string
  /** The commit or the tree that it was made from, for the report. */
  readonly description: string
  /** Texts of further migrations, where both releases have the same ones. */
  readonly expansion: readonly string[]
  remove(): Promise<void>
}

/**
 * Makes a previous release with built programs: the commit PREVIOUS_COMMIT if it is set, and this tree otherwise, with
 * `PREVIOUS_VERSION` as its version and the installed packages of this tree.
 */
export async function previousRelease(): Promise<Release> {
  const commit = process.env['PREVIOUS_COMMIT']
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-previous-'))
  if (commit) {
    const archive = join(folder, 'sources.tar')
    await run('git', ['archive', '--output', archive, commit], { cwd: root })
    await run('tar', ['-xf', archive, '-C', folder])
    await rm(archive)
  } else {
    const names = ['api', 'bin', 'infra', 'ingest', 'sql', 'workers', 'package.json', 'openapi.json', 'tsconfig.json']
    const isSource = (path: string) => !path.includes('/node_modules')
    for (const name of names) await cp(join(root, name), join(folder, name), { recursive: true, filter: isSource })
  }
  const manifest = join(folder, 'package.json')
  const fields = JSON.parse(await readFile(manifest, 'utf8')) as object
  await writeFile(manifest, JSON.stringify({ ...fields, version: PREVIOUS_VERSION }))
  // The built programs of a release are stored among its packages, so each package is linked and not their folder.
  const packages = join(folder, 'node_modules')
  await mkdir(packages)
  for (const name of await readdir(join(root, 'node_modules')))
    if (!name.startsWith('.')) await symlink(join(root, 'node_modules', name), join(packages, name))
  await run(process.execPath, ['bin/build.ts'], { cwd: folder })
  return {
    folder,
    description: commit ? `commit ${commit}` : 'a copy of this tree',
    expansion: commit ? [] : EXPANSION,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
