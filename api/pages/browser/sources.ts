import type { PageWeather } from './api.ts'
import { el, section } from './dom.ts'
import { age, type Clock } from './format.ts'

/** The sources of the values with their age, notes on missing values, and the API request for the same data. */
export function sources(
  { meta, attribution, location: place }: PageWeather,
  clock: Clock,
  query: URLSearchParams,
): HTMLElement {
  const rows = (meta.freshness ?? []).map(({ product_id, reference_time, age_seconds }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, product_id),
      el('td', {}, reference_time ? clock.day(reference_time) : '–'),
      el('td', { class: 'number' }, reference_time ? age(age_seconds) : '–'),
    ),
  )
  const missing = (meta.warnings ?? []).filter(({ code }) => code !== 'simulated_data')
  return section(
    'Sources',
    'sources',
    el(
      'details',
      { class: 'ages' },
      el('summary', {}, `${rows.length} sources and their age`),
      el(
        'div',
        { class: 'scroll', role: 'region', 'aria-label': 'Age of every source', tabindex: '0' },
        el(
          'table',
          {},
          el(
            'thead',
            {},
            el(
              'tr',
              {},
              ...['Source', `Issued, ${clock.zone(meta.generated_at)}`, 'Age'].map((title) =>
                el('th', { scope: 'col' }, title),
              ),
            ),
          ),
          el('tbody', {}, ...rows),
        ),
      ),
    ),
    missing.length > 0 &&
      el(
        'details',
        { class: 'missing' },
        el('summary', {}, `${missing.length} note${missing.length > 1 ? 's' : ''} on what is missing or approximate`),
        el(
          'ul',
          {},
          ...missing.map(({ code, section: part, detail }) =>
            el('li', {}, `${part}: ${detail ?? code.replaceAll('_', ' ')}`),
          ),
        ),
      ),
    el(
      'p',
      { class: 'skill' },
      'How good the forecasts have been: ',
      el(
        'a',
        { href: /^[A-Z]{2}$/.test(place.region ?? '') ? `/skill?state=${place.region}` : '/skill' },
        'accuracy against station reports',
      ),
      ', also for each model. ',
      el('a', { href: '/status' }, 'Status of every source'),
    ),
    el('details', { class: 'request' }, el('summary', {}, 'This page as an API request'), request(query)),
    el(
      'p',
      { class: 'quiet' },
      `${place.lat}, ${place.lon}. ${attribution.notice} `,
      el('a', { href: '/acknowledgements' }, 'Acknowledgements'),
    ),
  )
}

function request(query: URLSearchParams): HTMLElement {
  const text = `curl -H "Authorization: Bearer $HEXCAST_KEY" \\\n  "${location.origin}/v1/weather?${query}"`
  const copy = el('button', { type: 'button', class: 'plain' }, 'Copy')
  copy.addEventListener('click', () => {
    void navigator.clipboard?.writeText(text).then(() => {
      copy.textContent = 'Copied'
    })
  })
  return el('div', {}, el('pre', { id: 'curl', tabindex: '0' }, el('code', {}, text)), copy)
}
