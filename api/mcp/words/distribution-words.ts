const phrases: Readonly<Record<string, string>> = {
  precip_probability: 'chance of precipitation',
  precip_amount: 'precipitation',
  snow_amount: 'snow',
  ice_amount: 'ice',
  precip_type_freezing_rain_prob: 'chance that precipitation is freezing rain',
  severe_prob: 'chance of a severe thunderstorm',
  hail_prob: 'chance of large hail',
  tornado_prob: 'chance of a tornado',
  damaging_wind_prob: 'chance of damaging thunderstorm wind',
}
const substances: Readonly<Record<string, string>> = {
  precip: 'precipitation',
  snow: 'snow',
  snow_nearby: 'snow nearby',
}
const ENSEMBLE = 'ensemble_'

/** Returns words for a variable of a distribution: `chance of more than 1 in of snow` for `snow_prob_gt_1in`. */
export function distributionWords(name: string): string {
  if (name.startsWith(ENSEMBLE) && /_prob/.test(name)) return `${distributionWords(name.slice(ENSEMBLE.length))}, REFS`
  const plain = name.replace(/_6h$/, '')
  const phrase = phrases[plain]
  if (phrase !== undefined) return phrase
  const [, substance, limit] = /^(precip|snow|snow_nearby)_prob_gt_(\d+)in$/.exec(plain) ?? []
  // Limits of precipitation are hundredths of an inch, with three digits.
  if (substance && limit)
    return `chance of more than ${limit.length === 3 ? Number(limit) / 100 : limit} in of ${substances[substance]}`
  const [, subject, bound, unit] = /^(visibility|ceiling)_prob_below_(\d+)(mi|ft)$/.exec(plain) ?? []
  if (subject) return `chance of ${subject === 'ceiling' ? 'a ceiling' : subject} below ${bound} ${unit}`
  const [, quantity, percentile] = /^(\w+)_p(\d\d)$/.exec(plain) ?? []
  if (quantity) return `${distributionWords(quantity)}, ${percentile}th percentile`
  return plain.replace(/_stddev$/, ' standard deviation').replaceAll('_', ' ')
}
