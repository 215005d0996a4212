/** Compares two versions such as 1.2.0 by their three numbers: negative if the first is older. */
export function compareReleases(a: string, b: string): number {
  const numbersOf = (version: string) => version.split(/[.-]/, 3).map(Number)
  const others = numbersOf(b)
  for (const [place, number] of numbersOf(a).entries()) {
    const difference = number - (others[place] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
