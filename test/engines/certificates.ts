import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const openssl = async (folder: string, ...words: string[]) =>
  void (await promisify(execFile)('openssl', words, { cwd: folder }))

/** Paths of a certificate and its key, and of both in one file. */
export interface Pair {
  readonly certificate: string
  readonly key: string
  readonly both: string
}

export interface Authority extends Pair {
  /** Issues a certificate. `days` below zero: it has expired. */
  issue(name: string, options: { subject: string; names?: string; days?: number }): Promise<Pair>
}

const pair = (folder: string, name: string): Pair => ({
  certificate: join(folder, `${name}.crt`),
  key: join(folder, `${name}.key`),
  both: join(folder, `${name}.pem`),
})

/** Makes a CA in a folder. Keys are elliptic, because their generation takes milliseconds. */
export async function makeAuthority(folder: string, name: string): Promise<Authority> {
  const ca = pair(folder, name)
  const newKey = (path: string) =>
    openssl(folder, 'genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', path)
  await newKey(ca.key)
  await openssl(folder, 'req', '-x509', '-key', ca.key, '-subj', `/CN=${name}`, '-days', '2', '-out', ca.certificate)
  return {
    ...ca,
    async issue(issued, { subject, names = 'DNS:localhost,IP:127.0.0.1', days = 2 }) {
      const paths = pair(folder, issued)
      await newKey(paths.key)
      const request = join(folder, `${issued}.csr`)
      await openssl(folder, 'req', '-new', '-key', paths.key, '-subj', `/CN=${subject}`, '-out', request)
      const extensions = join(folder, `${issued}.ext`)
      await writeFile(extensions, `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\n`)
      const by = ['-CA', ca.certificate, '-CAkey', ca.key, '-CAcreateserial', '-days', String(days)]
      await openssl(folder, 'x509', '-req', '-in', request, ...by, '-extfile', extensions, '-out', paths.certificate)
      await writeFile(paths.both, `${await readFile(paths.key, 'utf8')}${await readFile(paths.certificate, 'utf8')}`)
      return paths
    },
  }
}
