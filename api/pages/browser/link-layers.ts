/** Inputs for the layers of the map. The link of the page names them as `layers=radar,lightning`, or not at all for the layers of a new visit. */
const inputs = [...document.querySelectorAll<HTMLInputElement>('.layers input')]

/** Names of the layers that are on, joined by commas; undefined if they are the layers of a new visit. */
export function chosenLayers(): string | undefined {
  if (inputs.every(({ checked, defaultChecked }) => checked === defaultChecked)) return undefined
  return inputs
    .filter(({ checked }) => checked)
    .map(({ name }) => name)
    .join()
}

/** Switches to the layers that the address names; unknown names are ignored. */
export function takeLinkedLayers(): void {
  const linked = new URLSearchParams(location.search).get('layers')?.split(',')
  for (const input of inputs) {
    const on = linked ? linked.includes(input.name) : input.defaultChecked
    if (input.checked === on) continue
    input.checked = on
    input.dispatchEvent(new Event('change'))
  }
}

/** Calls a function after the visitor has switched a layer. */
export function onLayerSwitch(act: () => void): void {
  for (const input of inputs) input.addEventListener('change', act)
}
