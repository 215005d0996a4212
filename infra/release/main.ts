/**
 * `npm run release -- --dry-run [FOLDER] [--python=python3] [--image]` builds every artifact twice, compares the two builds
 * byte for byte, installs each artifact in an empty folder and uses it, and writes checksums, a bill of materials and a
 * provenance statement. FOLDER is dist/release by default. It publishes nothing: the last lines name the commands that do.
 * With --image it also builds the image, once: a build has the identifier of its own embedded database.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildArtifacts, filesOf } from './artifacts.ts'
import { chartMetadata } from './chart.ts'
import { buildAndUseImage, missingForImage } from './image.ts'
import { smokeTest } from './smoke.ts'
import { checksums, provenanceOf, sha256Of, subjectOf } from './statement.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()

/** Prints a line with the seconds since the start. */
const say = (line: string) => console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${line}`)

/** Returns the interpreter if it has pip and is at least Python 3.10. */
function usable(python: string): string | undefined {
  try {
    execFileSync(python, ['-c', 'import pip, sys; sys.exit(sys.version_info < (3, 10))'], { stdio: 'ignore' })
    return python
  } catch {
    return undefined
  }
}

/** @throws Error if the registry entry or the chart does not name what is built */
async function checkVersions(): Promise<void> {
  const read = async (name: string) => JSON.parse(await readFile(join(root, name), 'utf8'))
  const [entry, manifest] = [await read('server.json'), await read('package.json')]
  const named = entry.packages.map(({ identifier, version }: Record<string, string>) => `${identifier} ${version}`)
  const built = `${manifest.name} ${manifest.version}`
  if (entry.name !== manifest.mcpName || entry.version !== manifest.version || !named.includes(built))
    throw new Error(
      `server.json names ${entry.name} ${named}, but ${manifest.mcpName} ${built} is built. Change server.json.`,
    )
  const { version, appVersion } = await chartMetadata()
  if (version !== manifest.version || appVersion !== manifest.version)
    throw new Error(
      `infra/helm/Chart.yaml has version ${version} and appVersion ${appVersion}, but ${built} is built. Change Chart.yaml.`,
    )
}

async function release(folder: string, python: string | undefined, withImage: boolean): Promise<void> {
  const second = await mkdtemp(join(tmpdir(), 'hexcast-second-'))
  try {
    await checkVersions()
    await rm(folder, { recursive: true, force: true })
    const artifacts = await buildArtifacts(folder, python)
    say('built once')
    await buildArtifacts(second, python)
    for (const file of filesOf(artifacts)) {
      const [firstDigest, other] = [await sha256Of(file), await sha256Of(join(second, basename(file)))]
      if (firstDigest !== other)
        throw new Error(`${basename(file)} differs between two builds of the same sources: ${firstDigest}, ${other}`)
      say(`${basename(file)}: built twice, the same bytes, ${firstDigest}`)
    }
    await smokeTest(artifacts, python, (line) => say(`used: ${line}`))
    const files = filesOf(artifacts)
    if (withImage) {
      const archive = join(folder, `hexcast-${process.arch}.oci.tar`)
      await buildAndUseImage((line) => say(`image: ${line}`), archive)
      files.push(archive)
    }
    const subjects = await Promise.all(files.map(subjectOf))
    const lock = await sha256Of(join(root, 'package-lock.json'))
    const statement = provenanceOf(subjects, git('rev-parse', 'HEAD'), lock, process.version)
    await writeFile(join(folder, 'SHA256SUMS'), checksums(subjects))
    await writeFile(join(folder, 'provenance.json'), `${JSON.stringify(statement, null, 2)}\n`)
    execFileSync(process.execPath, [join(root, 'infra/audit.ts'), join(folder, 'sbom.cdx.json')], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    say(`${folder}: ${subjects.length} artifacts, SHA256SUMS, provenance.json, sbom.cdx.json`)
  } finally {
    await rm(second, { recursive: true, force: true })
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'dry-run': { type: 'boolean' },
    python: { type: 'string', default: 'python3' },
    image: { type: 'boolean', default: false },
  },
})
if (!values['dry-run']) {
  console.error('release: this command publishes nothing; run it with --dry-run, and publish the files that it writes.')
  process.exit(2)
}
const folder = resolve(positionals[0] ?? join(root, 'dist/release'))
const python = usable(values.python)
const missing = values.image ? await missingForImage() : undefined
if (missing !== undefined) {
  console.error(`release: --image needs ${missing}; run it without --image, or where that is installed.`)
  process.exit(2)
}
await release(folder, python, values.image)
if (git('status', '--porcelain') !== '')
  console.log('The tree has changes that no commit has: provenance.json names the last commit.')
if (python === undefined)
  console.log('Not built: the wheel needs Python 3.10 or later with pip; give --python=INTERPRETER.')
if (!values.image) console.log('Not built: the image; give --image (root, buildah, mmdebstrap; five minutes).')
console.log(
  `To publish: npm publish FILE.tgz --provenance; twine upload FILE.whl; helm push hexcast-chart-VERSION.tgz oci://…; skopeo copy oci-archive:FILE docker://…; mcp-publisher publish (server.json).`,
)
