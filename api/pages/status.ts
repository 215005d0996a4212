import type { Answer } from '../route.ts'
import { html, type Markup, page } from './page.ts'

/** The members of a dataset's state that the page shows. */
export interface StatusRow {
  readonly dataset_id: string
  readonly title: string
  readonly domain: string | null
  readonly state: string
  readonly run: string | null
  readonly age_seconds: number | null
  readonly expected_next: { readonly run: string | null; readonly expected_at: string } | null
  readonly late_by_seconds: number | null
  readonly last_failures: readonly { readonly at: string; readonly detail: string }[]
  readonly second_source: { readonly host: string; readonly since: string; readonly reason: string } | null
  readonly availability: readonly (number | null)[]
}

export interface StatusView {
  readonly generated_at: string
  readonly status: string
  readonly simulated: boolean
  readonly notes: readonly string[]
  readonly availability_from: string
  readonly datasets: readonly StatusRow[]
}

const WORDS: Readonly<Record<string, string>> = {
  ok: 'All data are on time or recent enough.',
  degraded: 'Some data are stale, missing or unknown.',
  outage: 'No model run is stored, so there are no forecasts.',
  on_time: 'on time',
  late: 'late',
  stale: 'stale',
  nothing_stored: 'nothing stored',
  not_configured: 'not configured',
  unknown: 'unknown',
}

/** Grades of a day by the share of minutes in which the data were fresh, best first. */
const GRADES: readonly (readonly [from: number, fill: string])[] = [
  [0.999, '#2e7d32'],
  [0.95, '#b7791f'],
  [0, '#c02626'],
]
const UNKNOWN_FILL = '#9aa3af'
const BAR_WIDTH = 3
const BAR_HEIGHT = 16

/** A duration in words: `5 min`, `2 h 10 min`, `3 days`. */
export function span(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 1) return `${Math.round(seconds)} s`
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`
}

/** The status page: a table of every dataset. */
export function statusPage(document: StatusView): Answer {
  const { status, datasets, generated_at: at, availability_from: from } = document
  return page({
    title: 'Status',
    wide: true,
    head: html`<link rel="alternate" type="application/atom+xml" title="Late runs" href="/status.atom">`,
    body: html`<h1>Status</h1>
<p><strong>${WORDS[status] ?? status}</strong> As of ${instant(at)}.${document.simulated ? html` <strong>The data are simulated: nothing here is real weather.</strong>` : ''}</p>
${document.notes.map((note) => html`<p role="alert">${note}</p>`)}
<p>Each bar is one day, and the last of 90 is today: green if the data were fresh in every minute that was checked, red if in less than 95%, grey if nothing was checked. The same as <a href="/v1/status">JSON</a>, and late runs as a <a href="/status.atom">feed</a>.</p>
<div class="scroll" role="region" aria-label="Datasets" tabindex="0">
<table>
<thead><tr><th scope="col">Dataset</th><th scope="col">State</th><th scope="col">Served</th><th scope="col">Age</th><th scope="col">Next expected</th><th scope="col">Late by</th><th scope="col">90 days</th></tr></thead>
<tbody>${datasets.map((dataset) => row(dataset, from))}</tbody>
</table>
</div>`,
  })
}

function row(dataset: StatusRow, from: string): Markup {
  const { expected_next: next, late_by_seconds: late, last_failures: failures } = dataset
  const [failure] = failures
  return html`<tr><th scope="row">${dataset.title}<br><code>${dataset.dataset_id}</code>${dataset.domain ? html` ${dataset.domain}` : ''}${
    dataset.second_source
      ? html`<br><small>from ${dataset.second_source.host} since ${instant(dataset.second_source.since)}: ${dataset.second_source.reason}</small>`
      : ''
  }${
    failure && html`<br><small>${instant(failure.at)}: ${failure.detail}</small>`
  }</th><td>${WORDS[dataset.state] ?? dataset.state}</td><td>${dataset.run ? instant(dataset.run) : '–'}</td><td>${
    dataset.age_seconds === null ? '–' : span(dataset.age_seconds)
  }</td><td>${next ? instant(next.expected_at) : '–'}</td><td>${late ? span(late) : '–'}</td><td>${bars(dataset.availability, from)}</td></tr>
`
}

function instant(iso: string): Markup {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)}Z</time>`
}

/** The availability of ninety days as one image, with one path for each colour. */
function bars(days: readonly (number | null)[], from: string): Markup {
  const paths = new Map<string, string>()
  for (const [index, share] of days.entries()) {
    const fill = share === null ? UNKNOWN_FILL : (GRADES.find(([least]) => share >= least)?.[1] ?? UNKNOWN_FILL)
    const bar = `M${index * BAR_WIDTH} 0h2v${BAR_HEIGHT}h-2z`
    paths.set(fill, (paths.get(fill) ?? '') + bar)
  }
  const checked = days.filter((share) => share !== null)
  const mean = checked.length > 0 ? checked.reduce((sum, share) => sum + share, 0) / checked.length : undefined
  const label =
    mean === undefined
      ? `no day since ${from} was checked`
      : `fresh ${(mean * 100).toFixed(1)}% of ${checked.length} days that were checked since ${from}`
  return html`<svg role="img" aria-label="${label}" width="${days.length * BAR_WIDTH}" height="${BAR_HEIGHT}">${[
    ...paths,
  ].map(([fill, path]) => html`<path fill="${fill}" d="${path}"/>`)}</svg>`
}

export interface LateView {
  readonly dataset: string
  readonly domain: string
  readonly run: Date
  readonly due_at: Date
  readonly late_at: Date
  readonly served_at: Date | null
}

/** An Atom feed (RFC 4287) with an entry for each late run, which is updated when the run is served. */
export function statusFeed(base: string, entries: readonly LateView[], now: Date): Answer {
  const text = (date: Date) => date.toISOString()
  const updated = entries.map(({ late_at, served_at }) => (served_at ?? late_at).getTime())
  const body = html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${base}/status.atom</id>
<title>Hexcast: late runs</title>
<link rel="self" type="application/atom+xml" href="${base}/status.atom"/>
<link rel="alternate" type="text/html" href="${base}/status"/>
<author><name>Hexcast</name></author>
<updated>${text(updated.length > 0 ? new Date(Math.max(...updated)) : new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000))}</updated>
${entries.map((entry) => {
  const name = `${entry.dataset} ${entry.domain} ${text(entry.run).slice(0, 16)}Z`
  const after = entry.served_at && span((entry.served_at.getTime() - entry.due_at.getTime()) / 1000)
  const content = after
    ? `It was due by ${text(entry.due_at)} and served ${after} later.`
    : `It was due by ${text(entry.due_at)} and is not served yet.`
  return html`<entry>
<id>${base}/status#${entry.dataset}/${entry.domain}/${text(entry.run)}</id>
<title>${name} ${entry.served_at ? 'was late' : 'is late'}</title>
<link href="${base}/status"/>
<published>${text(entry.late_at)}</published>
<updated>${text(entry.served_at ?? entry.late_at)}</updated>
<content type="text">${content}</content>
</entry>
`
})}</feed>
`
  return {
    type: 'application/atom+xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="utf-8"?>\n${body.html}`,
    headers: { 'Cache-Control': 'public, max-age=60' },
  }
}
