import { lookup } from '../../../ingest/domain/lookup.ts'

interface Crop {
  readonly name: string
  /** Base temperature, °C. */
  readonly base: number
  /** Upper limit, °C. */
  readonly upper?: number
  /** Stages with the °C-days after planting at which a crop commonly reaches them. */
  readonly stages?: readonly (readonly [name: string, gdu: number])[]
}

export const crops = lookup<Crop>({
  corn: {
    name: 'Corn',
    base: 10,
    upper: 30,
    stages: [
      ['emergence', 65],
      ['six leaves', 265],
      ['tasseling', 630],
      ['silking', 780],
      ['physiological maturity', 1480],
    ],
  },
  soybean: {
    name: 'Soybean',
    base: 10,
    upper: 30,
    stages: [
      ['emergence', 70],
      ['first flower', 650],
      ['physiological maturity', 1350],
    ],
  },
  wheat: {
    name: 'Wheat',
    base: 0,
    stages: [
      ['emergence', 125],
      ['heading', 900],
      ['ripening', 1550],
    ],
  },
  barley: { name: 'Barley', base: 0 },
  oats: { name: 'Oats', base: 0 },
  canola: { name: 'Canola', base: 5 },
  alfalfa: { name: 'Alfalfa', base: 5 },
  sunflower: { name: 'Sunflower', base: 6.7 },
  cotton: { name: 'Cotton', base: 15.6 },
  potato: { name: 'Potato', base: 7.2 },
  rice: { name: 'Rice', base: 10 },
  sorghum: { name: 'Sorghum', base: 10, upper: 37.8 },
  grape: { name: 'Grape', base: 10 },
  tomato: { name: 'Tomato', base: 10 },
  apple: { name: 'Apple', base: 6.1 },
  sugarbeet: { name: 'Sugarbeet', base: 1.1 },
})

/**
 * Returns the °C-days of one day: the mean of the high and the low above the base. The method `modified` first clamps the high and the low to
 * [base, upper].
 */
export function degreeDays(
  max: number,
  min: number,
  base: number,
  upper: number | undefined,
  method: 'simple' | 'modified',
): number {
  if (method === 'simple') return Math.max(0, (max + min) / 2 - base)
  const clamp = (value: number) => Math.min(Math.max(value, base), upper ?? Number.POSITIVE_INFINITY)
  return Math.max(0, (clamp(max) + clamp(min)) / 2 - base)
}
