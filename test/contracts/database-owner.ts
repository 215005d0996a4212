import { openDatabase } from '../../ingest/ports/database/open.ts'

/** A separate process for the tests of the embedded database: writes rows and prints each, hangs in a transaction, or is busy while a statement runs. */

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
if (manner === 'busy') {
  // The connection is released before that.
  await new Promise((resolve) => setTimeout(resolve, 200))
  // The statement has been sent, and its answer arrives while the process is busy.
  const pending = db.query('select 1')
  setImmediate(() => {
    console.log('busy')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)
    console.log('free')
  })
  await pending
}
console.log('ready')
for (let number = 0; ; number++) {
  await db.query('insert into test_note (name, value) values ($1, $2)', [`row-${number}`, JSON.stringify(number)])
  console.log(number)
}
