import { readFile } from 'node:fs/promises'
import type { AwsCredentials } from '../domain/connection-settings.ts'

/** Credentials in files are read again this often. */
const REREAD_MS = 300_000
/** The SDK asks for new credentials this long before they expire. */
const SDK_MARGIN_MS = 300_000

interface AwsIdentity {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly expiration?: Date
}

/** Returns credentials as the clients of AWS take them; undefined for the usual chain of the SDK. */
export function awsProvider(
  credentials: AwsCredentials | undefined,
): AwsIdentity | (() => Promise<AwsIdentity>) | undefined {
  if (!credentials || !('files' in credentials)) return credentials
  const { accessKeyId, secretAccessKey, sessionToken } = credentials.files
  const content = async (path: string) => (await readFile(path, 'utf8')).trim()
  return async () => ({
    accessKeyId: await content(accessKeyId),
    secretAccessKey: await content(secretAccessKey),
    ...(sessionToken && { sessionToken: await content(sessionToken) }),
    expiration: new Date(Date.now() + REREAD_MS + SDK_MARGIN_MS),
  })
}
