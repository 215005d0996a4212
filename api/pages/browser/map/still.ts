import { pointAt, STILL_SIZE, type StillName, shareOf, stillOf, stillViews } from '../../still-view.ts'
import { el } from '../dom.ts'

/** Bounds of the picture of the contiguous United States: west, south, east, north. */
export const stillBounds = (): [number, number, number, number] => {
  const [west, north] = pointAt('us', 0, 0)
  const [east, south] = pointAt('us', 1, 1)
  return [west, south, east, north]
}

export interface StillMap {
  mark(lat: number, lon: number): void
  remove(): void
}

/** The picture in the place of the map, with a pin at the chosen place. A click chooses the point under the pointer. */
export function stillMap(picture: HTMLImageElement, choose: (lat: number, lon: number) => void): StillMap {
  const pin = el('span', { class: 'pin', hidden: true, 'aria-hidden': 'true' })
  picture.after(pin)
  let viewName = (picture.dataset['view'] ?? 'us') as StillName
  let centre: readonly [number, number] = [0.5, 0.5]
  picture.addEventListener('click', (event) => {
    const box = picture.getBoundingClientRect()
    const scales = [box.width / STILL_SIZE.width, box.height / STILL_SIZE.height]
    const scale = getComputedStyle(picture).objectFit === 'contain' ? Math.min(...scales) : Math.max(...scales)
    const share = (at: number, room: number, size: number, middle: number) =>
      (at - (room - size * scale) * middle) / (size * scale)
    const x = share(event.clientX - box.left, box.width, STILL_SIZE.width, centre[0])
    const y = share(event.clientY - box.top, box.height, STILL_SIZE.height, centre[1])
    const [lon, lat] = pointAt(viewName, x, y)
    choose(lat, lon)
  })
  return {
    mark(lat, lon) {
      if (!picture.isConnected) return
      const name = stillOf(lat, lon)
      if (name !== viewName) {
        viewName = name
        picture.src = `/page/still/${name}.webp`
        picture.alt = `Map of ${stillViews[name].name} with the newest radar picture`
      }
      const [x, y] = shareOf(name, lat, lon)
      // Positions at the same share of the picture and of its box coincide, so the place stays visible if the picture is cropped.
      centre = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))]
      const [left = '', top = ''] = centre.map((share) => `${(100 * share).toFixed(2)}%`)
      picture.style.objectPosition = `${left} ${top}`
      pin.style.left = left
      pin.style.top = top
      pin.hidden = false
    },
    remove() {
      picture.remove()
      pin.remove()
    },
  }
}
