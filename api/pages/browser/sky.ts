import type { PageWeather } from './api.ts'
import { el, section, svg } from './dom.ts'
import { type Clock, duration, numberText } from './format.ts'

const polarDays = { midnight_sun: 'up all day', polar_night: 'below the horizon all day' } as const

/** Sun and moon today: the position of the sun between sunrise and sunset, and the illuminated part of the moon. */
export function sky({ astro, location }: PageWeather, clock: Clock, now: number): HTMLElement | undefined {
  if (!astro) return undefined
  const time = (at: string | null) => (at ? clock.time(at) : 'none today')
  const entries: readonly (readonly [string, string])[] = [
    ['First light', time(astro.civil_dawn)],
    ['Sunrise', astro.polar ? polarDays[astro.polar] : time(astro.sunrise)],
    ['Solar noon', time(astro.solar_noon)],
    ['Sunset', astro.polar ? polarDays[astro.polar] : time(astro.sunset)],
    ['Last light', time(astro.civil_dusk)],
    ['Daylight', duration(astro.day_length * 1000)],
    ['Moonrise', time(astro.moonrise)],
    ['Moonset', time(astro.moonset)],
  ]
  return section(
    'Sun and moon',
    'astro',
    el(
      'div',
      { class: 'heavens' },
      arc(astro.sunrise, astro.sunset, now, clock),
      moon(astro.moon_phase, location.lat < 0),
    ),
    el('p', {}, `${astro.moon_phase_name}, ${numberText(100 * astro.moon_illumination, '%')} lit.`),
    el(
      'dl',
      { class: 'facts' },
      ...entries.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
    ),
  )
}

function arc(rise: string | null, set: string | null, now: number, clock: Clock): SVGSVGElement {
  const root = svg('svg', {
    class: 'arc',
    viewBox: '0 0 200 92',
    role: 'img',
    'aria-label': rise && set ? `Sun from ${clock.time(rise)} to ${clock.time(set)}` : 'The sun neither rises nor sets',
  })
  root.append(
    svg('path', { class: 'path', d: 'M20 74A80 66 0 0 1 180 74' }),
    svg('path', { class: 'horizon', d: 'M4 74H196' }),
  )
  if (!rise || !set) return root
  const share = (now - Date.parse(rise)) / (Date.parse(set) - Date.parse(rise))
  root.append(
    svg('text', { x: 4, y: 88 }, clock.time(rise)),
    svg('text', { x: 196, y: 88, 'text-anchor': 'end' }, clock.time(set)),
  )
  if (share < 0 || share > 1) return root
  const angle = Math.PI * (1 - share)
  root.append(
    svg('circle', {
      class: 'sun',
      cx: (100 + 80 * Math.cos(angle)).toFixed(1),
      cy: (74 - 66 * Math.sin(angle)).toFixed(1),
      r: 7,
    }),
  )
  return root
}

/** @param phase 0 for a new moon, 0.5 for a full moon @param isSouthern true on the southern hemisphere, where the moon appears reversed */
function moon(phase: number, isSouthern: boolean): SVGSVGElement {
  const isWaxing = phase < 0.5
  const lit = (1 - Math.cos(2 * Math.PI * phase)) / 2
  const bulge = (Math.abs(1 - 2 * lit) * 36).toFixed(1)
  const isRightLit = isWaxing !== isSouthern
  // Half of the disc is lit, and an ellipse adds to it or subtracts from it.
  const d = `M44 8A36 36 0 0 ${isRightLit ? 1 : 0} 44 80A${bulge} 36 0 0 ${lit > 0.5 === isRightLit ? 1 : 0} 44 8Z`
  return svg(
    'svg',
    { class: 'moon-phase', viewBox: '0 0 88 88', 'aria-hidden': 'true' },
    svg('circle', { class: 'dark', cx: 44, cy: 44, r: 36 }),
    svg('path', { class: 'lit', d }),
  )
}
