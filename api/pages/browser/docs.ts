import { find } from './dom.ts'

declare const SwaggerUIBundle: (options: object) => void

const root = find('#interface')

/** Adds roles and labels for screen readers that Swagger UI omits. It runs after each change, since Swagger UI replaces its elements. */
function complete(): void {
  root.querySelector('#servers')?.setAttribute('aria-label', 'Server')
  for (const [part, label] of [
    ['.information-container', 'About the interface'],
    ['.schemes-server-container', 'Server and key'],
  ] as const) {
    const region = root.querySelector(`${part}:not([role])`)
    region?.setAttribute('role', 'region')
    region?.setAttribute('aria-label', label)
  }
  // The title of Swagger UI is an h1, and its sections begin with h3.
  for (const [name, level] of [
    ['h3', '2'],
    ['h4', '3'],
    ['h5', '4'],
  ] as const)
    for (const heading of root.querySelectorAll(`${name}:not([aria-level])`)) heading.setAttribute('aria-level', level)
  for (const choice of root.querySelectorAll('tr[data-param-name] select:not([aria-label])'))
    choice.setAttribute('aria-label', choice.closest<HTMLElement>('tr')?.dataset['paramName'] ?? '')
  for (const example of root.querySelectorAll('.microlight:not([tabindex])')) example.setAttribute('tabindex', '0')
  // Each operation has a table with the role of a landmark, and all have the same name.
  for (const table of root.querySelectorAll('table[role=region]')) table.removeAttribute('role')
  // The button contains a link that does the same.
  for (const link of root.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href')
}

new MutationObserver(complete).observe(root, { childList: true, subtree: true })

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#interface',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
