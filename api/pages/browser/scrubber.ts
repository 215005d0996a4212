import { svg } from './dom.ts'

export interface ScrubberOptions {
  readonly label: string
  /** Number of steps of the chart. */
  readonly steps: number
  /** Horizontal position of a step, in units of the view box. */
  readonly x: (step: number) => number
  readonly top: number
  readonly bottom: number
  readonly start?: number
  /** The values of a step as one line, for the output and for screen readers. */
  readonly describe: (step: number) => string
  readonly output: HTMLElement
}

/** Makes a chart a slider, so that its values can be read one by one with the pointer, by touch, or with the arrow keys. */
export function addScrubber(chart: SVGSVGElement, options: ScrubberOptions): void {
  const { steps, x, top, bottom, describe, output } = options
  const cursor = svg('path', { class: 'cursor', visibility: 'hidden' })
  chart.append(cursor)
  let at = options.start ?? 0
  const show = (step: number, visible = true) => {
    at = Math.min(steps - 1, Math.max(0, step))
    cursor.setAttribute('d', `M${x(at).toFixed(1)} ${top}V${bottom}`)
    cursor.setAttribute('visibility', visible ? 'visible' : 'hidden')
    const text = describe(at)
    chart.setAttribute('aria-valuenow', String(at))
    chart.setAttribute('aria-valuetext', text)
    output.textContent = text
  }
  for (const [name, value] of Object.entries({
    tabindex: '0',
    role: 'slider',
    'aria-label': options.label,
    'aria-valuemin': '0',
    'aria-valuemax': String(steps - 1),
  }))
    chart.setAttribute(name, value)
  chart.addEventListener('pointermove', (event) => {
    const matrix = chart.getScreenCTM()
    if (!matrix) return
    const { x: pointerX } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
    let nearest = 0
    for (let step = 1; step < steps; step++)
      if (Math.abs(x(step) - pointerX) < Math.abs(x(nearest) - pointerX)) nearest = step
    show(nearest)
  })
  chart.addEventListener('keydown', (event) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - 6,
      PageUp: at + 6,
      Home: 0,
      End: steps - 1,
    }
    const to = moves[event.key]
    if (to === undefined) return
    event.preventDefault()
    show(to)
  })
  chart.addEventListener('focus', () => chart.matches(':focus-visible') && show(at))
  show(at, false)
}
