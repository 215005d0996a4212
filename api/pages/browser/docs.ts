declare const SwaggerUIBundle: (options: object) => void

const root = document.querySelector('#interface')!

/** What Swagger UI leaves out for screen readers: it draws its elements again and again. */
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
  // Its own title is an h1, and its sections begin with h3.
  for (const [name, level] of [
    ['h3', '2'],
    ['h4', '3'],
    ['h5', '4'],
  ] as const)
    for (const heading of root.querySelectorAll(`${name}:not([aria-level])`)) heading.setAttribute('aria-level', level)
  for (const choice of root.querySelectorAll('tr[data-param-name] select:not([aria-label])'))
    choice.setAttribute('aria-label', choice.closest<HTMLElement>('tr')!.dataset['paramName']!)
  for (const example of root.querySelectorAll('.microlight:not([tabindex])')) example.setAttribute('tabindex', '0')
  // A table that claims to be a landmark, one an operation, all of the same name.
  for (const table of root.querySelectorAll('table[role=region]')) table.removeAttribute('role')
  // A link inside of a button that does the same.
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
