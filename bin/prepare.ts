/**
 * Runs after `npm ci`: builds the programs and the template of the embedded database. Without them, the first start
 * builds both, which takes 11 s of processor time, so a failure here is not fatal.
 */
import { databaseTemplate } from '../ingest/ports/database/template.ts'
import { buildPrograms } from './build.ts'

const [programs, template] = await Promise.allSettled([buildPrograms(), databaseTemplate()])
if (programs.status === 'rejected') console.error(`The programs were not built: ${programs.reason}`)
if (template.status === 'rejected' || !template.value.template)
  console.error('The template of the embedded database was not built.')
