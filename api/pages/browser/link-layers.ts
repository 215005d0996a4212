/** The layers of the map in the link of the page: `layers=radar,lightning`, absent where they are those that the page begins with. */
const inputs = [...document.querySelectorAll<HTMLInputElement>('.layers input')]

/** Names of the layers that are on, joined; undefined where they are those of every visit. */
export function chosenLayers(): string | undefined {
  if (inputs.every(({ checked, defaultChecked }) => checked === defaultChecked)) return undefined
  return inputs
    .filter(({ checked }) => checked)
    .map(({ name }) => name)
    .join()
}

/** Switches to the layers of the address; names that are not known are left out. */
export function takeLinkedLayers(): void {
  const linked = new URLSearchParams(location.search).get('layers')?.split(',')
  for (const input of inputs) {
    const on = linked ? linked.includes(input.name) : input.defaultChecked
    if (input.checked === on) continue
    input.checked = on
    input.dispatchEvent(new Event('change'))
  }
}

/** Calls back after the visitor has switched a layer. */
export function onLayerSwitch(act: () => void): void {
  for (const input of inputs) input.addEventListener('change', act)
}
