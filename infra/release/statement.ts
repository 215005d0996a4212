import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

const REPOSITORY = 'https://github.com/hexcast/hexcast'

export interface StatementSubject {
  readonly name: string
  readonly digest: { readonly sha256: string }
}

export async function sha256Of(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}

export async function subjectOf(file: string): Promise<StatementSubject> {
  return { name: basename(file), digest: { sha256: await sha256Of(file) } }
}

/** One line for each file, in the form that `sha256sum --check` reads. */
export function checksums(subjects: readonly StatementSubject[]): string {
  return subjects.map(({ name, digest }) => `${digest.sha256}  ${name}\n`).join('')
}

/**
 * An in-toto statement with a provenance predicate of SLSA 1.0 (https://slsa.dev/spec/v1.0/provenance): which files came
 * from which commit by which command. It is not signed: whoever publishes the files signs it.
 * @param commit 40 hexadecimal digits
 * @param lockDigest SHA-256 of package-lock.json
 */
export function provenanceOf(
  subjects: readonly StatementSubject[],
  commit: string,
  lockDigest: string,
  node: string,
): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${REPOSITORY}/blob/main/infra/release/main.ts`,
        externalParameters: { source: { uri: `git+${REPOSITORY}`, digest: { gitCommit: commit } } },
        internalParameters: { command: 'npm run release', node },
        resolvedDependencies: [
          { uri: `git+${REPOSITORY}`, digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: lockDigest } },
        ],
      },
      runDetails: { builder: { id: `${REPOSITORY}/blob/main/infra/release` } },
    },
  }
}
