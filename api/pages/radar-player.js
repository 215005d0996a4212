/** The radar layer over time: the last hour as observed, then the nowcast. Pictures are loaded few at a time and kept in the map. */
const SVG = 'http://www.w3.org/2000/svg'
const PRODUCT = 'mrms-reflectivity-surface'
const MINUTE = 60_000
const STEP = 5 * MINUTE
const BACK = 60 * MINUTE
const AT_ONCE = 4
/** How long a picture stays, ms; the newest scan and the last picture stay longer. */
const STAY = 260
const STAY_NOW = 900
const STAY_LAST = 1500
const REFRESH = 5 * MINUTE

/** The held scans nearest to every five minutes of the last hour, the newest itself, and all of the nowcast. */
function framesOf({ times, nowcast_times: ahead }) {
  const held = times.map((time) => Date.parse(time)).sort((a, b) => a - b)
  const newest = held.at(-1)
  if (newest === undefined) return []
  const chosen = new Set([newest])
  for (let slot = Math.ceil((newest - BACK) / STEP) * STEP; slot < newest - STEP / 2; slot += STEP) {
    const near = held.reduce((best, one) => (Math.abs(one - slot) < Math.abs(best - slot) ? one : best))
    if (Math.abs(near - slot) <= STEP / 2) chosen.add(near)
  }
  const scans = [...chosen].sort((a, b) => a - b).map((at) => ({ at, key: `${at}`, forecast: false }))
  // The same instant is forecast anew from every scan.
  return [...scans, ...ahead.map((time) => ({ at: Date.parse(time), key: `${time} from ${newest}`, forecast: true }))]
}

/**
 * @param panels of the map, the main one first: where its pictures go, their box (west, south, east, north), their place and width
 * @param read gives the JSON at a path
 * @param note says a word beside the layers
 */
export function radarPlayer({ root, panels, read, note }) {
  const [button, slider, when, kind, quiet, span, legend] = ['.play', '.time', '.when', '.kind', '.loading', '.spans', '.legend'].map((name) => root.querySelector(name))
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  let on = false
  let frames = []
  let shown = 0
  let playing = false
  /** Whether it starts by itself when its pictures are there: not against a wish, and not twice. */
  let willing = !still.matches && !navigator.connection?.saveData
  let timer
  let round = 0
  const waiting = []
  let loading = 0

  const address = (panel, frame) => `/page/radar/${PRODUCT}.png?${new URLSearchParams({ bbox: panel.box.join(','), width: panel.width, time: new Date(frame.at).toISOString() })}`
  /** A picture of one frame on one panel; once asked for it stays until its frame is gone. */
  const want = (panel, frame, first = false) => {
    if (panel.pictures.has(frame.key)) return
    panel.pictures.set(frame.key, { state: 'waiting' })
    waiting[first ? 'unshift' : 'push']({ panel, frame })
    load()
  }
  function load() {
    while (loading < AT_ONCE && waiting.length > 0) {
      const { panel, frame } = waiting.shift()
      const picture = panel.pictures.get(frame.key)
      if (!picture) continue
      const image = document.createElementNS(SVG, 'image')
      for (const [name, value] of Object.entries({ ...panel.place, preserveAspectRatio: 'none', visibility: 'hidden' })) image.setAttribute(name, value)
      const done = (state) => {
        loading--
        picture.state = state
        if (state === 'missing') image.remove()
        else picture.image = image
        load()
        draw()
        progress()
      }
      image.addEventListener('load', () => done('here'), { once: true })
      image.addEventListener('error', () => done('missing'), { once: true })
      loading++
      picture.state = 'loading'
      image.setAttribute('href', address(panel, frame))
      panel.group.append(image)
    }
  }

  const stateOf = (frame) => panels[0].pictures.get(frame.key)?.state
  function progress() {
    const rest = frames.filter((frame) => ['waiting', 'loading'].includes(stateOf(frame))).length
    quiet.textContent = rest ? `Loading ${frames.length - rest} of ${frames.length}` : ''
    note(frames.length && frames.every((frame) => stateOf(frame) === 'missing') ? 'No radar picture is held just now.' : '')
    if (willing && !rest && !playing && frames.length > 1 && on) {
      willing = false
      play()
    }
  }
  function draw() {
    const frame = frames[shown]
    if (!frame) return
    for (const panel of panels) {
      const next = panel.pictures.get(frame.key)
      // Until the picture asked for is there, the one before stays.
      if (next?.state !== 'here' && next?.state !== 'missing') continue
      for (const { image } of panel.pictures.values()) image?.setAttribute('visibility', image === next.image ? 'visible' : 'hidden')
    }
  }
  function tell() {
    const frame = frames[shown]
    const clock = new Date(frame.at).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
    const word = frame.forecast ? 'Forecast' : 'Observed'
    when.textContent = clock
    kind.textContent = word
    root.classList.toggle('forecast', frame.forecast)
    slider.value = shown
    slider.setAttribute('aria-valuetext', `${clock}, ${word.toLowerCase()}`)
  }
  function go(index) {
    shown = index
    for (const panel of panels) want(panel, frames[shown], true)
    tell()
    draw()
  }

  function play() {
    playing = true
    button.textContent = 'Pause'
    root.classList.add('playing')
    const lastScan = frames.findLastIndex(({ forecast }) => !forecast)
    if (shown === lastScan) shown = -1
    preload()
    const tick = () => {
      const next = (shown + 1) % frames.length
      const state = document.hidden ? 'hidden' : stateOf(frames[next])
      if (state === 'here') go(next)
      else if (state === 'missing') shown = next
      const scan = frames.findLastIndex(({ forecast }) => !forecast)
      timer = setTimeout(tick, shown === frames.length - 1 ? STAY_LAST : shown === scan ? STAY_NOW : STAY)
    }
    tick()
  }
  function pause() {
    clearTimeout(timer)
    playing = false
    button.textContent = 'Play'
    root.classList.remove('playing')
  }
  /** From the newest scan back, then ahead; the main map before the small ones. */
  function preload() {
    const scans = frames.filter(({ forecast }) => !forecast).reverse()
    for (const panel of panels) for (const frame of [...scans, ...frames.filter(({ forecast }) => forecast)]) want(panel, frame)
    progress()
  }

  async function refresh() {
    const mine = ++round
    const listed = await read(`/page/radar/${PRODUCT}`).catch(() => undefined)
    if (mine !== round || !on) return
    if (!listed) return note('Radar could not be read just now.')
    const before = frames[shown]
    const atNewest = !before || shown === frames.findLastIndex(({ forecast }) => !forecast)
    frames = framesOf(listed)
    const keys = new Set(frames.map(({ key }) => key))
    root.hidden = frames.length === 0
    if (frames.length === 0) return note('No radar picture is held just now.')
    const newest = frames.findLastIndex(({ forecast }) => !forecast)
    slider.max = frames.length - 1
    span.style.setProperty('--observed', newest + 0.5)
    span.style.setProperty('--ahead', frames.length - 1 - newest - 0.5)
    span.lastElementChild.hidden = newest === frames.length - 1
    drawLegend(legend, listed)
    const near = before && frames.findIndex(({ at }) => at >= before.at)
    go(atNewest && !playing ? newest : near >= 0 ? near : newest)
    for (const panel of panels) {
      for (const [key, { image }] of panel.pictures) {
        if (keys.has(key)) continue
        image?.remove()
        panel.pictures.delete(key)
      }
    }
    if (playing || willing) preload()
    progress()
  }

  function show(wanted) {
    const fresh = wanted && !on
    on = wanted
    if (fresh) return refresh()
    if (on) return
    pause()
    round++
    root.hidden = true
    waiting.length = 0
    for (const panel of panels) {
      panel.group.replaceChildren()
      panel.pictures.clear()
    }
    frames = []
    note('')
  }

  for (const panel of panels) panel.pictures = new Map()
  button.addEventListener('click', () => {
    willing = false
    if (playing) pause()
    else if (frames.length > 1) play()
  })
  slider.addEventListener('input', () => {
    willing = false
    pause()
    go(Number(slider.value))
  })
  still.addEventListener('change', () => still.matches && pause())
  setInterval(() => on && !document.hidden && refresh(), REFRESH)
  return show
}

function drawLegend(root, { title, unit, legend }) {
  const cell = 20
  const make = (name, attributes, ...children) => {
    const node = document.createElementNS(SVG, name)
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
    node.append(...children)
    return node
  }
  const bar = make('svg', { viewBox: `0 0 ${cell * legend.length} 24`, role: 'img', 'aria-label': `${title} in ${unit}, colours from ${legend[0].from} to ${legend.at(-1).from}` })
  legend.forEach(({ from, colour }, i) => {
    bar.append(make('rect', { x: i * cell, y: 0, width: cell, height: 11, fill: colour }))
    bar.append(make('text', { x: i * cell + 1, y: 22 }, String(from)))
  })
  bar.append(make('rect', { class: 'edge', x: 0.5, y: 0.5, width: cell * legend.length - 1, height: 10.5 }))
  root.replaceChildren(Object.assign(document.createElement('span'), { textContent: `${title}, ${unit}` }), bar)
}
