import { code, type Guide, html, table } from './guide.ts'

export const selfHosting: Guide = () => ({
  title: 'Self-hosting',
  about: 'Two commands on one machine; the same code on PostgreSQL, S3, Kafka and Temporal.',
  body: html`<p>One machine needs Node 20 or later and npm, nothing else.</p>
${code('npm ci\nnpm start')}
<p>Database, object store, events and queue run embedded, with their state in <code>./data</code>. The first start prints a key once. If NOAA's servers cannot be reached, it falls back to a simulator, and every answer and page is marked as simulated; <code>npm start -- --upstream live</code> never falls back.</p>
<h2 id="engines">More machines</h2>
${table(
  ['Setting', 'What it replaces'],
  [
    ['DATABASE_URL', 'the embedded PostGIS'],
    ['OBJECTS_URL', 'the folder of objects: s3://bucket/prefix'],
    ['KAFKA_BROKERS', 'events in the process'],
    ['TEMPORAL_ADDRESS', 'the embedded queue'],
  ],
)}
<p>With all four set, any number of <code>npx hexcast worker</code> and <code>npx hexcast api</code> run side by side.</p>
<h2 id="behind">Behind a proxy</h2>
<p>Set <code>PUBLIC_URL</code> to the address that people use, and <code>METRICS_TOKEN</code> for <code>/metrics</code>. The server listens on <code>127.0.0.1</code> unless <code>HOST</code> is set; the proxy terminates TLS.</p>
<h2 id="watch">Monitoring</h2>
${code(`npx hexcast status        # the state of everything on one screen; --watch keeps it up to date
curl localhost:8080/readyz
curl localhost:8080/metrics`)}
<h2 id="keys">Keys</h2>
${code(`npx hexcast keys create --name "my program" --plan developer
npx hexcast keys list
npx hexcast keys revoke PREFIX`)}
<p>At <a href="/developer">/developer</a> people sign up by mail and manage their keys themselves, once <code>MAIL_URL</code> names an SMTP server. Without it the first key signs its operator in there, and <code>npx hexcast outbox</code> prints the mails that would have been sent.</p>`,
})
