import { el, find, svg } from '../dom.ts'
import { newestScan, type RadarFrame, type RadarTimes } from './frames.ts'

/** Time for which a picture is shown. The newest scan and the last picture are shown longer. */
const STAY_MS = 240
const STAY_NEWEST_MS = 900
const STAY_LAST_MS = 1500

export interface Player {
  /** Replaces the frames. The newest scan stays shown if the newest scan was shown before. */
  setFrames(frames: readonly RadarFrame[]): void
  setZone(timeZone: string | undefined): void
  readonly frame: RadarFrame | undefined
  readonly frames: readonly RadarFrame[]
  readonly playing: boolean
  hide(hidden: boolean): void
}

/**
 * The controls that play the radar over time.
 * @param options.onFrame called to show a frame on the map
 * @param options.isReady returns true if the picture of a frame has been loaded or is known to be missing
 * @param options.onPlay called before all frames are shown in turn
 */
export function player(options: {
  onFrame: (frame: RadarFrame) => void
  isReady: (frame: RadarFrame) => boolean
  onPlay: () => void
}): Player {
  const root = find('.player')
  const button = find<HTMLButtonElement>('.play', root)
  const slider = find<HTMLInputElement>('.time', root)
  const [when, kind, spans] = [find('.when', root), find('.kind', root), find('.spans', root)]
  let frames: readonly RadarFrame[] = []
  let current = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let playing = false
  let timeZone: string | undefined

  function go(index: number): void {
    const frame = frames[index]
    if (!frame) return
    current = index
    const clock = new Date(frame.at).toLocaleTimeString('en-US', {
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
      ...(timeZone && { timeZone }),
    })
    const word = frame.forecast ? 'Forecast' : 'Observed'
    when.textContent = clock
    kind.textContent = word
    root.classList.toggle('forecast', frame.forecast)
    slider.value = String(index)
    slider.setAttribute('aria-valuetext', `${clock.replace(/\u202f/g, ' ')}, ${word.toLowerCase()}`)
    options.onFrame(frame)
  }
  function pause(): void {
    clearTimeout(timer)
    playing = false
    button.textContent = '▶'
    button.setAttribute('aria-label', 'Play')
    root.classList.remove('playing')
  }
  function tick(): void {
    const next = (current + 1) % frames.length
    const newest = newestScan(frames)
    if (!document.hidden && frames[next] && options.isReady(frames[next])) go(next)
    timer = setTimeout(
      tick,
      current === frames.length - 1 ? STAY_LAST_MS : current === newest ? STAY_NEWEST_MS : STAY_MS,
    )
  }
  function play(): void {
    if (frames.length < 2) return
    playing = true
    button.textContent = '❚❚'
    button.setAttribute('aria-label', 'Pause')
    root.classList.add('playing')
    options.onPlay()
    if (current === newestScan(frames)) go(0)
    timer = setTimeout(tick, STAY_MS)
  }
  button.addEventListener('click', () => (playing ? pause() : play()))
  slider.addEventListener('input', () => {
    pause()
    go(Number(slider.value))
  })
  matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', ({ matches }) => matches && pause())

  return {
    get frame() {
      return frames[current]
    },
    get frames() {
      return frames
    },
    get playing() {
      return playing
    },
    setZone(zone) {
      timeZone = zone
      if (frames.length > 0) go(current)
    },
    setFrames(list) {
      const before = frames[current]
      const wasNewest = !before || current === newestScan(frames)
      frames = list
      const newest = newestScan(frames)
      slider.max = String(Math.max(0, frames.length - 1))
      spans.style.setProperty('--observed', String(newest + 0.5))
      spans.style.setProperty('--ahead', String(frames.length - newest - 1.5))
      const near = before ? frames.findIndex(({ at }) => at >= before.at) : -1
      go(wasNewest && !playing ? newest : near >= 0 ? near : newest)
    },
    hide(hidden) {
      if (hidden) pause()
      root.hidden = hidden
    },
  }
}

/** Draws the colours of the radar with the values at which they begin. */
export function drawLegend({ title, unit, legend }: RadarTimes): void {
  const cell = 20
  const width = cell * legend.length
  const label = `${title} in ${unit}, colours from ${legend[0]?.from} to ${legend.at(-1)?.from}`
  const bar = svg('svg', { viewBox: `0 0 ${width} 24`, role: 'img', 'aria-label': label })
  for (const [i, { from, colour }] of legend.entries()) {
    bar.append(svg('rect', { x: i * cell, y: 0, width: cell, height: 11, fill: colour }))
    if (i % 2 === 0) bar.append(svg('text', { x: i * cell + 1, y: 23 }, String(from)))
  }
  bar.append(svg('rect', { class: 'edge', x: 0.5, y: 0.5, width: width - 1, height: 10.5 }))
  find('.legend').replaceChildren(el('span', {}, `${title}, ${unit}`), bar)
}
