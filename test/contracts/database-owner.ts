import { openDatabase } from '../../ingest/ports/database-open.ts'

/** A separate process for the tests of the embedded database: writes rows and prints each, or hangs in a transaction. */

const [folder, manner] = process.argv.slice(2)
const db = await openDatabase({ dataDir: folder!, databasePool: 1 })
await db.run('create table if not exists test_note (name text primary key, value jsonb not null)')
if (manner === 'hang') {
  await db.transaction(async (tx) => {
    await tx.query("insert into test_note (name, value) values ('hanging', '1')")
    console.log('inside')
    await new Promise(() => setInterval(() => {}, 1000))
  })
}
console.log('ready')
for (let number = 0; ; number++) {
  await db.query('insert into test_note (name, value) values ($1, $2)', [`row-${number}`, JSON.stringify(number)])
  console.log(number)
}
