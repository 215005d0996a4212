import { radarPlayer } from './radar-player.js'

const $ = (selector, within = document) => within.querySelector(selector)
const SVG = 'http://www.w3.org/2000/svg'
const panels = {
  conus: [-126, 23.5, -66, 50],
  alaska: [-190, 50.5, -129, 71.8],
  hawaii: [-161, 18.3, -154, 22.8],
}
const xOf = (lon) => (lon > 0 ? lon - 360 : lon) * 10
const yOf = (lat) => (-1800 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360))
const lonOf = (x) => (x / 10 < -180 ? x / 10 + 360 : x / 10)
const latOf = (y) => (360 / Math.PI) * (Math.atan(Math.exp((-y * Math.PI) / 1800)) - Math.PI / 4)

/** An element with text or children; nothing is ever read as markup. */
function el(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(key, value)
  node.append(...children.filter((child) => child !== undefined && child !== null))
  return node
}
function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children)
  return node
}

async function read(path) {
  const response = await fetch(path, { headers: { accept: 'application/json' } })
  const body = await response.json()
  if (!response.ok) throw Object.assign(new Error(body.detail ?? body.title), { problem: body })
  return body
}

let wish
const units = () => $('input[name=units]:checked').value
const include = 'current,hourly,daily,alerts,outlooks,astro,nowcast'

async function show(selector) {
  wish = selector
  const query = new URLSearchParams({ ...selector, units: units(), include, hourly_hours: '48', days: '7' })
  const result = $('#result')
  result.setAttribute('aria-busy', 'true')
  try {
    const weather = await read(`/page/weather?${query}`)
    result.replaceChildren(...draw(weather, query))
    mark(weather.location)
    history.replaceState(null, '', `#${weather.location.lat},${weather.location.lon}`)
    $('#simulated').hidden = !(weather.meta.warnings ?? []).some(({ code }) => code === 'simulated_data')
  } catch (error) {
    const outside = error.problem?.type?.endsWith('/outside-coverage')
    result.replaceChildren(
      el('h2', {}, outside ? 'Outside the 50 states and DC' : 'No weather for this place'),
      el('p', {}, error.message),
      ...(error.problem?.candidates ?? []).map((name) => pick(name)),
    )
  }
  result.removeAttribute('aria-busy')
}

function pick(name) {
  const button = el('button', { type: 'button', class: 'plain' }, name)
  button.addEventListener('click', () => show({ location: name }))
  return button
}

const cloud = (y, cls = 'cloud') => svg('path', { class: cls, d: `M7 ${y + 9}a4.5 4.5 0 0 1 .6-8.9 6 6 0 0 1 11.4 1.2 4 4 0 0 1-.6 7.7z` })
const sun = (x, y, r) => [
  svg('circle', { class: 'sun', cx: x, cy: y, r }),
  ...[0, 45, 90, 135, 180, 225, 270, 315].map((turn) => svg('path', { class: 'ray', d: `M0 ${-r - 1.5}V${-r - 3.5}`, transform: `translate(${x} ${y}) rotate(${turn})` })),
]
const moon = (x, y) => [svg('path', { class: 'moon', d: `M${x + 1} ${y - 5}a5.5 5.5 0 1 0 4.5 8a6 6 0 0 1-4.5-8z` })]
const drops = (xs) => xs.map((x) => svg('path', { class: 'drop', d: `M${x} 17.5l-1.2 4` }))
const flakes = (xs) => xs.map((x, i) => svg('circle', { class: 'flake', cx: x, cy: 19 + (i % 2) * 2.5, r: 1.1 }))
const bolt = () => [svg('path', { class: 'bolt', d: 'M13 14l-3 5h3l-1.5 4 4.5-6h-3l1.5-3z' })]
const fog = () => [10, 14, 18].map((y) => svg('path', { class: 'fog', d: `M4 ${y}h16` }))

/** A small picture of an icon slug, by the longest family that fits; decoration beside the words. */
function glyph(icon = '') {
  const night = icon.endsWith('-night')
  const light = (x, y, r) => (night ? moon(x, y) : sun(x, y, r))
  const family = icon.replace(/-(day|night)$/, '')
  const pictures = {
    clear: () => light(12, 12, 5),
    'partly-cloudy': () => [...light(8, 8, 3.5), cloud(9)],
    'mostly-cloudy': () => [...light(8, 7, 2.5), cloud(8)],
    cloudy: () => [cloud(7)],
    showers: () => [...light(8, 6, 2.5), cloud(5), ...drops([9, 13, 17])],
    rain: () => [cloud(5), ...drops([8, 12, 16])],
    'thunder-showers': () => [...light(8, 6, 2.5), cloud(4), ...bolt()],
    'thunder-rain': () => [cloud(4), ...bolt(), ...drops([8, 17])],
    thunderstorms: () => [cloud(4), ...bolt()],
    'snow-showers': () => [...light(8, 6, 2.5), cloud(5), ...flakes([9, 13, 17])],
    snow: () => [cloud(5), ...flakes([8, 12, 16])],
    'rain-snow-showers': () => [...light(8, 6, 2.5), cloud(5), ...drops([9, 16]), ...flakes([13])],
    'rain-snow': () => [cloud(5), ...drops([8, 16]), ...flakes([12])],
    sleet: () => [cloud(5), ...drops([9, 15]), ...flakes([12])],
    fog: () => fog(),
    haze: () => [...light(12, 7, 3), ...fog().slice(1)],
  }
  const name = Object.keys(pictures).filter((one) => family.startsWith(one)).sort((x, y) => y.length - x.length)[0]
  return svg('svg', { class: 'glyph', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, ...(name ? pictures[name]() : []))
}
const shown = (value, label = '') => (value === null || value === undefined ? '–' : `${value}${label}`)
const round = (value) => (value === null || value === undefined ? undefined : Math.round(value))

function draw(weather, query) {
  const { location, current, hourly = [], daily = [], alerts, units: labels } = weather
  const clock = (at, options) => new Intl.DateTimeFormat('en-US', { timeZone: location.timezone, ...options }).format(new Date(at))
  const degrees = `°${labels.temperature}`
  const parts = [el('h2', {}, `${location.name}${location.region ? `, ${location.region}` : ''}`)]
  if (location.county) parts.push(el('p', { class: 'quiet' }, `${location.county} · ${location.lat}, ${location.lon} · ${location.timezone}`))
  for (const alert of alerts ?? []) {
    parts.push(el('p', { class: 'alert-item' }, el('strong', {}, `${alert.event} (${alert.severity}). `), alert.headline, ` Until ${clock(alert.ends, { weekday: 'short', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })}.`))
  }
  if (current) {
    parts.push(
      el(
        'p',
        { class: 'now' },
        el('span', { class: 'degrees' }, glyph(current.icon), ` ${shown(round(current.temperature), degrees)}`),
        el('span', {}, current.conditions),
        el('span', {}, `Feels like ${shown(round(current.feels_like), degrees)}`),
        el('span', {}, `Wind ${shown(round(current.wind_speed))} ${labels.wind_speed}, gusts ${shown(round(current.wind_gust))}`),
        el('span', {}, `Humidity ${shown(current.humidity, ' %')}`),
      ),
    )
  }
  const coming = weather.nowcast?.summary
  if (coming) {
    const said =
      coming.type === 'none'
        ? 'No precipitation within the next 90 minutes.'
        : `${coming.type.replaceAll('_', ' ')} ${coming.already_occurring ? 'now' : `from ${clock(coming.starts_at, { hour: 'numeric', minute: '2-digit' })}`}${coming.ends_at ? `, until ${clock(coming.ends_at, { hour: 'numeric', minute: '2-digit' })}` : ''}.`
    parts.push(el('p', {}, said))
  }
  if (!alerts) parts.push(el('p', { class: 'error' }, 'Alerts could not be read just now. This is no all-clear.'))
  if (hourly.length > 1) parts.push(el('h3', {}, 'Next 48 hours'), chart(hourly, labels, clock), chartKey(labels))
  if (daily.length) parts.push(el('h3', {}, 'Days'), el('div', { class: 'scroll', role: 'region', 'aria-label': 'Forecast by day', tabindex: '0' }, days(daily, labels)))
  for (const outlook of weather.outlooks ?? []) parts.push(el('p', {}, `SPC outlook, day ${outlook.day}, ${outlook.type}: ${outlook.risk_label}.`))
  parts.push(el('h3', {}, 'How old is it'), el('div', { class: 'scroll' }, ages(weather.meta)), ...warnings(weather.meta))
  parts.push(el('h3', {}, 'The request'), request(query))
  parts.push(el('p', { class: 'quiet' }, `${weather.attribution.notice} `, el('a', { href: '/acknowledgements' }, 'Acknowledgements')))
  return parts
}

function chart(hours, labels, clock) {
  const width = 640
  const height = 220
  const [left, right, top, bottom] = [38, 40, 12, 34]
  const both = hours.flatMap(({ temperature, dew_point }) => [temperature, dew_point]).filter((value) => typeof value === 'number')
  const low = Math.floor((Math.min(...both) - 2) / 5) * 5
  const high = Math.ceil((Math.max(...both) + 2) / 5) * 5
  const x = (i) => left + (i * (width - left - right)) / (hours.length - 1)
  const y = (value) => top + ((high - value) * (height - top - bottom)) / (high - low)
  const line = (name) =>
    hours
      .map((hour, i) => (typeof hour[name] === 'number' ? `${i && typeof hours[i - 1][name] === 'number' ? 'L' : 'M'}${x(i).toFixed(1)} ${y(hour[name]).toFixed(1)}` : ''))
      .join('')
  const warmest = hours.reduce((a, b) => (b.temperature > a.temperature ? b : a))
  const coldest = hours.reduce((a, b) => (b.temperature < a.temperature ? b : a))
  const wettest = hours.reduce((a, b) => ((b.precip_probability ?? 0) > (a.precip_probability ?? 0) ? b : a))
  const when = (hour) => clock(hour.time, { weekday: 'short', hour: 'numeric' })
  const label = `Temperature from ${Math.round(coldest.temperature)}° at ${when(coldest)} to ${Math.round(warmest.temperature)}° at ${when(warmest)}; chance of precipitation at most ${wettest.precip_probability ?? 0} % at ${when(wettest)}`
  const root = svg('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label })
  for (let value = low; value <= high; value += 10) {
    root.append(svg('path', { class: 'grid', d: `M${left} ${y(value)}H${width - right}` }), svg('text', { x: left - 6, y: y(value) + 4, 'text-anchor': 'end' }, `${value}°`))
  }
  hours.forEach((hour, i) => {
    const share = (hour.precip_probability ?? 0) / 100
    const tall = share * (height - top - bottom)
    if (share) root.append(svg('rect', { class: 'bar', x: x(i) - 5, y: height - bottom - tall, width: 10, height: tall }))
    if (i % 6 === 0) root.append(svg('text', { x: x(i), y: height - bottom + 16, 'text-anchor': 'middle' }, clock(hour.time, { hour: 'numeric' })))
    if (i % 24 === 0) root.append(svg('text', { x: x(i), y: height - 4, 'text-anchor': 'start' }, clock(hour.time, { weekday: 'long' })))
  })
  for (const percent of [0, 50, 100]) {
    root.append(svg('text', { x: width - right + 6, y: height - bottom - (percent / 100) * (height - top - bottom) + 4 }, `${percent} %`))
  }
  root.append(svg('path', { class: 'dew', d: line('dew_point') }), svg('path', { class: 'line', d: line('temperature') }))
  return root
}

function chartKey(labels) {
  return el('p', { class: 'quiet key' }, `Red line: temperature in °${labels.temperature}. Dashed green: dew point. Blue bars: chance of precipitation, right axis.`)
}

function days(rows, labels) {
  const table = el('table', { class: 'days' })
  table.append(
    el('caption', { class: 'off' }, 'Forecast by day'),
    el('thead', {}, el('tr', {}, ...['Day', 'Conditions', 'High', 'Low', 'Precipitation', 'Gusts'].map((name) => el('th', { scope: 'col' }, name)))),
    el(
      'tbody',
      {},
      ...rows.map((row) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, row.relative_day === 0 ? 'Today' : row.relative_day === -1 ? 'Tonight' : new Date(`${row.date}T12:00:00Z`).toLocaleDateString('en-US', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })),
          el('td', {}, glyph(row.icon), ` ${row.conditions ?? ''}`),
          el('td', { class: 'number' }, shown(round(row.high), '°')),
          el('td', { class: 'number' }, shown(round(row.low), '°')),
          el('td', { class: 'number' }, `${shown(row.precip_probability, ' %')}${row.precip_total ? `, ${row.precip_total} ${labels.precip_amount}` : ''}`),
          el('td', { class: 'number' }, shown(round(row.wind_gust_max), ` ${labels.wind_speed}`)),
        ),
      ),
    ),
  )
  return table
}

function ages({ freshness = [] }) {
  const age = (seconds) => (seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`)
  return el(
    'table',
    { class: 'ages' },
    el('caption', { class: 'off' }, 'Age of every source'),
    el('thead', {}, el('tr', {}, ...['Source', 'Issued (UTC)', 'Age'].map((name) => el('th', { scope: 'col' }, name)))),
    el(
      'tbody',
      {},
      ...freshness.map(({ product_id, reference_time, age_seconds }) =>
        el('tr', {}, el('th', { scope: 'row' }, product_id), el('td', {}, reference_time ? reference_time.slice(0, 16).replace('T', ' ') : '–'), el('td', { class: 'number' }, reference_time ? age(age_seconds) : '–')),
      ),
    ),
  )
}

function warnings({ warnings: list = [] }) {
  const told = list.filter(({ code }) => code !== 'simulated_data')
  if (!told.length) return []
  return [
    el('details', {}, el('summary', {}, `${told.length} notes on what is missing or approximate`), el('ul', {}, ...told.map(({ code, section, detail }) => el('li', {}, `${section}: ${detail ?? code}`)))),
  ]
}

function request(query) {
  const text = `curl -H "Authorization: Bearer $HEXCAST_KEY" \\\n  "${location.origin}/v1/weather?${query}"`
  const copy = el('button', { type: 'button', class: 'plain' }, 'Copy')
  copy.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(text)
    copy.textContent = 'Copied'
  })
  return el('div', {}, el('pre', { id: 'curl' }, el('code', {}, text)), copy)
}

const maps = [...document.querySelectorAll('.map')]
const inside = (name, { lat, lon }) => {
  const [west, south, east, north] = panels[name]
  const x = lon > 0 ? lon - 360 : lon
  return x >= west && x <= east && lat >= south && lat <= north
}
const size = (name) => (panels[name][2] - panels[name][0]) / 60

function mark(point) {
  for (const map of maps) {
    const marker = $('.marker', map)
    const here = inside(map.dataset.panel, point)
    marker.toggleAttribute('hidden', !here)
    if (here) marker.setAttribute('transform', `translate(${xOf(point.lon)} ${yOf(point.lat)}) scale(${size(map.dataset.panel)})`)
  }
}

for (const map of maps) {
  const name = map.dataset.panel
  const [west, south, east, north] = panels[name]
  const ask = (x, y) => show({ lat: latOf(y).toFixed(4), lon: lonOf(x).toFixed(4) })
  map.addEventListener('click', (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse())
    ask(point.x, point.y)
  })
  const cross = $('.cross', map)
  const at = { x: ((west + east) / 2) * 10, y: yOf((south + north) / 2) }
  const move = () => cross.setAttribute('transform', `translate(${at.x} ${at.y}) scale(${size(name)})`)
  map.addEventListener('focus', () => {
    if (!map.matches(':focus-visible')) return
    move()
    cross.removeAttribute('hidden')
  })
  map.addEventListener('blur', () => cross.setAttribute('hidden', ''))
  map.addEventListener('keydown', (event) => {
    const step = (event.shiftKey ? 20 : 5) * size(name)
    const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key]
    if (way) {
      at.x = Math.min(east * 10, Math.max(west * 10, at.x + way[0]))
      at.y = Math.min(yOf(south), Math.max(yOf(north), at.y + way[1]))
      cross.removeAttribute('hidden')
      move()
    } else if (event.key === 'Enter' || event.key === ' ') ask(at.x, at.y)
    else return
    event.preventDefault()
  })
}

$('#ask').addEventListener('submit', (event) => {
  event.preventDefault()
  show({ location: $('#place').value.trim() })
})
for (const input of document.querySelectorAll('input[name=units]')) input.addEventListener('change', () => wish && show(wish))

const notes = {}
const note = (layer, text) => {
  notes[layer] = text
  $('#layer-note').textContent = Object.values(notes).filter(Boolean).join(' ')
}

const radar = radarPlayer({
  root: $('.player'),
  read,
  note: (text) => note('radar', text),
  panels: maps.map((map) => {
    const name = map.dataset.panel
    const [west, south, east, north] = panels[name]
    // Pictures end at the antimeridian; radars west of it there are none.
    const from = Math.max(west, -180)
    return {
      group: $('.radar', map),
      box: [from, south, east, north],
      place: { x: from * 10, y: yOf(north), width: (east - from) * 10, height: yOf(south) - yOf(north) },
      width: name === 'conus' ? '1000' : '400',
    }
  }),
})

async function shapes(layer, on) {
  const groups = maps.map((map) => $(`.${layer}`, map))
  note(layer, '')
  if (!on) return groups.forEach((group) => group.replaceChildren())
  const list = await read(`/page/${layer}`).then(
    (body) => body[layer],
    () => undefined,
  )
  if (!list) return note(layer, layer === 'alerts' ? 'Alerts could not be read just now. This is no all-clear.' : 'No outlook is held just now.')
  for (const group of groups) {
    group.replaceChildren(
      ...list.map((one) => svg('path', { d: one.path, class: one.severity ?? `rank-${one.rank}` }, svg('title', {}, one.headline ?? one.event ?? one.label))),
    )
  }
  if (layer === 'alerts') note(layer, `${list.length} alert areas.`)
}

const layers = { radar, alerts: (on) => shapes('alerts', on), outlooks: (on) => shapes('outlooks', on) }
const redraw = () => {
  for (const [name, layer] of Object.entries(layers)) layer($(`.layers input[name=${name}]`).checked)
}
for (const [name, layer] of Object.entries(layers)) {
  $(`.layers input[name=${name}]`).addEventListener('change', (event) => layer(event.target.checked))
}
redraw()
setInterval(redraw, 120_000)

const start = /^#(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(location.hash)
if (start) show({ lat: start[1], lon: start[2] })
