/**
 * Runs after `npm ci`: builds the programs and the template of the embedded database, which otherwise the first start
 * makes in 11 s of processor time. A failure is not fatal, because a start makes what is missing.
 */
import { databaseTemplate } from '../ingest/ports/database/template.ts'
import { buildPrograms } from './build.ts'

const [programs, template] = await Promise.allSettled([buildPrograms(), databaseTemplate()])
if (programs.status === 'rejected') console.error(`The programs were not built: ${programs.reason}`)
if (template.status === 'rejected' || !template.value.template)
  console.error('The template of the embedded database was not made.')
