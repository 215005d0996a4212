/**
 * Returns whether the setting `DATASETS` includes a dataset.
 * @param datasets ids, and with a leading `-` ids that are left out; `-refs` also leaves out `refs-mean` and the other products of REFS
 */
export function takes({ datasets }: { readonly datasets: readonly string[] }, id: string): boolean {
  const isLeftOut = (name: string) => name.startsWith('-') && `-${id}-`.startsWith(`${name}-`)
  if (datasets.some(isLeftOut)) return false
  return datasets.every((name) => name.startsWith('-')) || datasets.includes(id)
}
