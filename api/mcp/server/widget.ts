import { readFileSync } from 'node:fs'

let page: string | undefined

/** Returns the HTML of the widget, a single document that fetches nothing. */
export function widgetPage(): string {
  return (page ??= readFileSync(new URL('./widget.html', import.meta.url), 'utf8'))
}
