import { el, find } from '../dom.ts'
import { stillMap } from './still.ts'
import type { ShownMap } from './view.ts'

/**
 * The start of the map takes a second of a phone's processor. It waits until the visitor moves, touches, scrolls or types, or until the
 * page has been open this long.
 */
const START_AFTER_MS = 7000
const signs = ['pointermove', 'touchstart', 'scroll', 'wheel', 'keydown'] as const

export interface WeatherMap {
  /** Marks the shown place. Times on the map are local to it. */
  mark(lat: number, lon: number, timeZone: string): void
}

function hasWebGl(): boolean {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null
  } catch {
    return false
  }
}

/**
 * Opens the map: first a still picture, then the interactive map once it is visible or used. Without WebGL the picture stays, and a click on
 * it chooses the point.
 */
export function openMap({
  board,
  choose,
  settled,
}: {
  board: HTMLElement
  choose: (lat: number, lon: number) => void
  /** Resolves when no search is being typed and no forecast is being read, since the start of the map would delay both. */
  settled: () => Promise<void>
}): WeatherMap {
  const card = find('.map-card', board)
  const container = find('#map', board)
  let opening: Promise<ShownMap | undefined> | undefined
  let marked: { lat: number; lon: number; timeZone: string } | undefined

  const still = stillMap(find<HTMLImageElement>('.still', container), choose)
  const keepPicture = (text: string) => {
    card.classList.add('without')
    find('.map-note', card).textContent = text
    return undefined
  }
  const start = () => {
    opening ??= (async () => {
      if (!hasWebGl())
        return keepPicture(
          'This browser cannot draw the interactive map. The picture shows the newest radar; click it to choose a point.',
        )
      card.classList.add('starting')
      document.head.append(el('link', { rel: 'stylesheet', href: board.dataset['mapcss'] }))
      try {
        const { showMap } = await import('./view.ts')
        const map = await showMap({ container, script: board.dataset['maplibre'] ?? '', at: marked, choose, settled })
        if (marked) map.mark(marked.lat, marked.lon, marked.timeZone)
        still.remove()
        return map
      } catch {
        return keepPicture(
          'The map could not be loaded. The picture shows the newest radar; click it to choose a point.',
        )
      } finally {
        card.classList.remove('starting')
      }
    })()
    return opening
  }
  for (const event of ['pointerenter', 'touchstart', 'focusin'] as const)
    card.addEventListener(event, () => void start(), { once: true, passive: true })
  const visibility = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return
    visibility.disconnect()
    void settled().then(start)
  })
  const watch = () => {
    for (const sign of signs) removeEventListener(sign, watch)
    clearTimeout(timer)
    visibility.observe(container)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  for (const sign of signs) addEventListener(sign, watch, { passive: true })
  addEventListener('load', () => {
    timer = setTimeout(watch, START_AFTER_MS)
  })
  return {
    mark(lat, lon, timeZone) {
      marked = { lat, lon, timeZone }
      still.mark(lat, lon)
      void opening?.then((map) => map?.mark(lat, lon, timeZone))
    },
  }
}
