/** Returns whether the setting `DATASETS` includes a dataset. @param datasets ids, and with a leading `-` ids that are left out */
export function takes({ datasets }: { readonly datasets: readonly string[] }, id: string): boolean {
  if (datasets.includes(`-${id}`)) return false
  return datasets.every((name) => name.startsWith('-')) || datasets.includes(id)
}
