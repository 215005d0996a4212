import { html, type Markup } from './page.ts'

const HEIGHT = 120
const STEP = 20
const BAR_WIDTH = 16

/**
 * Calls for each day as bars and as a table.
 * @param usage oldest first; `day` has the form `2026-11-23`
 */
export function usageChart(usage: readonly { readonly day: string; readonly calls: number }[]): Markup {
  const most = Math.max(...usage.map(({ calls }) => calls))
  const total = usage.reduce((sum, { calls }) => sum + calls, 0)
  const number = (value: number) => value.toLocaleString('en')
  const top = ceiling(most)
  const busiest = usage.find(({ calls }) => calls === most)
  const label =
    total === 0
      ? 'No calls in the last 30 days.'
      : `${number(total)} call${total === 1 ? '' : 's'}; the most, ${number(most)}, on ${busiest?.day}.`
  const bars = usage.map(({ day, calls }, i) => {
    // A day with one call is visible beside a day with a million.
    const height = calls === 0 ? 0 : Math.max(2, Math.round((calls / top) * HEIGHT))
    return html`<rect x="${i * STEP + 2}" y="${HEIGHT - height}" width="${BAR_WIDTH}" height="${height}"><title>${day}: ${number(calls)}</title></rect>`
  })
  return html`<figure class="usage">
<figcaption>${label} Answers from the cache are not counted.</figcaption>
<div class="plot"><span class="top" aria-hidden="true">${number(top)}</span>
<svg viewBox="0 0 ${usage.length * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
<path class="grid" d="M0 .5H${usage.length * STEP}M0 ${HEIGHT / 2}H${usage.length * STEP}M0 ${HEIGHT - 0.5}H${usage.length * STEP}"/>
${bars}</svg></div>
<p class="ends" aria-hidden="true"><span>${usage[0]?.day}</span><span>${usage.at(-1)?.day}</span></p>
<details><summary>As a table</summary>
<table><thead><tr><th scope="col">Day (UTC)</th><th scope="col">Calls</th></tr></thead>
<tbody>${usage.toReversed().map(({ day, calls }) => html`<tr><td>${day}</td><td>${number(calls)}</td></tr>`)}</tbody></table></details>
</figure>`
}

/** The smallest of 10, 20, 50, 100, … that is at least `value`. */
function ceiling(value: number): number {
  const power = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(1, value))))
  return [1, 2, 5].map((factor) => factor * power).find((round) => round >= value) ?? 10 * power
}
