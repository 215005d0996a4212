import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { normalsSuite } from './normals-suite.ts'

describe('station normals in a folder', () =>
  normalsSuite(async () => openFolder(await mkdtemp(join(tmpdir(), 'hexcast-normals-')))))
