import { html, ICON, type Markup } from '../page.ts'
import { type Board, NOWCAST_PATH } from './board.ts'

/** The address of a file of the site, relative to a page of it, so that the site works below any prefix and offline. */
export function linkFrom(page: string, file: string): string {
  return '../'.repeat(page.split('/').length - 1) + file
}

/** A page of the site: no script, one stylesheet, links to its own files only. @param path path of the page in the site */
export function boardPage(path: string, { title, body, board }: { title: string; body: Markup; board: Board }): string {
  const to = (file: string) => linkFrom(path, file)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${board.simulated && 'SIMULATED: '}${title} · Forecast scores</title>
<link rel="stylesheet" href="${to('scoreboard.css')}">
<link rel="icon" href="${ICON}">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><a class="brand" href="${to('index.html')}">Forecast scores</a>
<nav aria-label="Site"><a href="${to('index.html')}">Overview</a> <a href="${to('index.html')}#regions">Regions</a> <a href="${to(NOWCAST_PATH)}">Nowcast</a> <a href="${to('index.html')}#data">Data</a></nav></header>
<main id="main" class="wide-main">
${board.simulated && html`<p class="simulated"><strong>SIMULATED WEATHER: simulated forecasts are compared with simulated reports. Nothing here is real weather.</strong></p>`}
${body}
</main>
<footer><p>Period: ${board.firstDay} to ${board.lastDay} (UTC). Written by Hexcast. Weather data: NOAA, which does not endorse this site. Not for the protection of life or property.</p></footer>
</body>
</html>
`.html
}
