/**
 * Share of a liquid amount that is spread evenly over the hours of its interval; the finer model distributes the rest.
 */
const EVEN_SHARE = 0.25
/** Greatest chance (percent) of an hour that has no amount within an interval: less than words mention. */
const MAX_DRY_CHANCE = 14
/**
 * Smallest chance that an interval stays dry. It keeps the hours of a certain interval likely without making all of
 * them certain.
 */
const LEAST_DRYNESS = 0.005

/**
 * Apportions the sum of an interval to its open hours, which are those that are NaN. A finer model gives the shares if
 * it has amounts for all open hours; the shares are partly evened out because its timing is uncertain. Otherwise the
 * shares are equal. The sum is preserved.
 * @param row hours of the interval from `begin` to `to`
 * @param outside number of hours of the interval beyond the row, about which nothing is known
 * @param guide amounts of the finer model
 * @param sum the amount of the interval less the known hours
 * @param evened whether shares are partly even, as for liquid; snow and ice fall only in hours that have a share
 */
export function apportionAmount(
  row: Float64Array,
  begin: number,
  to: number,
  outside: number,
  guide: Float64Array | undefined,
  sum: number,
  evened: boolean,
): void {
  let open = outside
  let total = outside > 0 || !guide ? Number.NaN : 0
  for (let h = begin; h <= to; h++) {
    if (!Number.isNaN(row[h]!)) continue
    open++
    if (guide) total += guide[h]!
  }
  const even = evened ? EVEN_SHARE : 0
  for (let h = begin; h <= to; h++) {
    if (!Number.isNaN(row[h]!)) continue
    row[h] = guide && total > 0 ? sum * ((1 - even) * (guide[h]! / total) + even / open) : sum / open
  }
}

/**
 * Apportions the chance of an interval to its open hours by their shares of the amount. If `D` is the chance that the
 * open hours stay dry and `s` is the share of an hour, the hour stays dry with the chance `D ** (s / sqrt(greatest
 * share))`, which lies between independent hours and hours that are wet together. No hour is therefore likelier than
 * the interval, and all hours together are at least as likely.
 * @param row hours of the interval from `begin` to `to`
 * @param outside number of hours of the interval beyond the row, which count as hours of mean amount
 * @param amounts liquid of each hour; hours of unknown amounts have equal shares
 * @param chance chance of the interval, percent
 */
export function apportionChance(
  row: Float64Array,
  begin: number,
  to: number,
  outside: number,
  amounts: Float64Array | undefined,
  chance: number,
): void {
  let dryness = Math.max(LEAST_DRYNESS, 1 - chance / 100)
  let open = outside
  let total = 0
  let greatest = 0
  let isKnown = false
  for (let h = begin; h <= to; h++) {
    if (!Number.isNaN(row[h]!)) {
      dryness /= Math.max(LEAST_DRYNESS, 1 - row[h]! / 100)
      continue
    }
    const amount = amounts?.[h] || 0
    isKnown ||= !Number.isNaN(amounts?.[h] ?? Number.NaN)
    open++
    total += amount
    greatest = Math.max(greatest, amount)
  }
  dryness = Math.min(1, dryness)
  if (outside > 0) total *= open / (open - outside)
  for (let h = begin; h <= to; h++) {
    if (!Number.isNaN(row[h]!)) continue
    const exponent = total > 0 ? (amounts?.[h] || 0) / Math.sqrt(total * greatest) : 1 / Math.sqrt(open)
    const ownChance = 100 * (1 - dryness ** Math.min(1, exponent))
    row[h] = Math.min(chance, ownChance, total === 0 && isKnown ? MAX_DRY_CHANCE : 100)
  }
}
