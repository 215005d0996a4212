import type { MrmsDataset } from '../domain/dataset/dataset.ts'
import { mrms } from './mrms.ts'

const everywhere = ['conus', 'alaska', 'hawaii'] as const
/** The timing of scans, which are published about two minutes after their valid time. */
const scan = { cadenceSeconds: 120, latencySeconds: 180, staleAfterSeconds: 900, keepSeconds: 2 * 3600 } as const
const hourly = { cadenceSeconds: 3600, staleAfterSeconds: 3 * 3600, keepSeconds: 6 * 3600 } as const

/**
 * Allowed range of the share of grid points without coverage. Radar over CONUS has a share of 0.34 to 0.36 in our measurements, and 0.34 to
 * 0.38 in reports of others. Gauges and models fill the accumulations: 0 to 0.06. Alaska and Hawaii are mostly sea and mountains without
 * radar, so there only a frame without any coverage or with complete coverage is rejected.
 */
const radar = { conus: [0.15, 0.6], alaska: [0, 0.985], hawaii: [0, 0.985] } as const
const filled = { conus: [0, 0.3], alaska: [0, 0.8], hawaii: [0, 0.8] } as const
const lightning = { conus: [0, 0.7] } as const

export const precipRate = mrms({
  id: 'mrms-precip-rate',
  role: 'precip_rate',
  product: 'PrecipRate_00.00',
  parameter: 'PrecipRate',
  title: 'MRMS precipitation rate',
  description: 'Rain rate, or liquid equivalent of snow, at the surface every two minutes combined from all radars.',
  shownBy: ['radar', 'nowcast', 'scans'],
  gives: [{ name: 'precip_rate', unit: 'mm/h', description: 'precipitation rate at the surface' }],
  unit: 'mm/h',
  over: everywhere,
  values: 'amount',
  noCoverage: radar,
  ...scan,
})

export const precipFlag = mrms({
  id: 'mrms-precip-flag',
  role: 'precip_type',
  product: 'PrecipFlag_00.00',
  parameter: 'PrecipFlag',
  title: 'MRMS surface precipitation type',
  description: 'Kind of precipitation at the surface: rain of several origins, hail, snow.',
  shownBy: ['radar', 'nowcast'],
  gives: [{ name: 'precip_flag', unit: 'code', description: 'MRMS surface precipitation type' }],
  unit: 'code',
  over: everywhere,
  values: 'amount',
  noCoverage: radar,
  ...scan,
})

export const surfaceReflectivity = mrms({
  id: 'mrms-reflectivity-surface',
  role: 'surface_reflectivity',
  product: 'SeamlessHSR_00.00',
  parameter: 'SeamlessHSR',
  title: 'MRMS reflectivity near the surface',
  description: 'Lowest usable reflectivity, corrected for its height, every two minutes.',
  shownBy: ['radar', 'nowcast'],
  gives: [{ name: 'reflectivity_dbz', unit: 'dBZ', description: 'reflectivity near the surface' }],
  unit: 'dBZ',
  over: everywhere,
  values: 'echo',
  noCoverage: radar,
  ...scan,
})

export const compositeReflectivity = mrms({
  id: 'mrms-reflectivity',
  role: 'composite_reflectivity',
  product: 'MergedReflectivityQCComposite_00.50',
  parameter: 'MergedReflectivityQCComposite',
  title: 'MRMS composite reflectivity',
  description: 'Highest reflectivity in the column, quality-controlled, every two minutes.',
  shownBy: ['radar', 'nowcast'],
  gives: [{ name: 'reflectivity_dbz', unit: 'dBZ', description: 'highest reflectivity in the column' }],
  unit: 'dBZ',
  over: everywhere,
  values: 'echo',
  noCoverage: radar,
  ...scan,
})

export const radarQuality = mrms({
  id: 'mrms-quality',
  role: 'radar_quality',
  product: 'RadarQualityIndex_00.00',
  parameter: 'RadarQualityIndex',
  title: 'MRMS radar quality index',
  description: 'How well radars see the precipitation near the surface: 0 not at all, 1 fully.',
  gives: [{ name: 'radar_quality', unit: 'index', description: 'radar quality index, 0 to 1' }],
  unit: 'index',
  over: everywhere,
  values: 'share',
  noCoverage: { ...radar, conus: [0, 0.7] },
  ...scan,
})

export const qpeHourPass1 = mrms({
  id: 'mrms-qpe-1h-pass1',
  role: 'precip_1h_radar',
  product: 'MultiSensor_QPE_01H_Pass1_00.00',
  parameter: 'MultiSensor_QPE_01H_Pass1',
  title: 'MRMS hourly precipitation, first pass',
  description: 'Accumulation of one hour, radars corrected by the gauges that report within 20 minutes.',
  shownBy: ['history'],
  gives: [{ name: 'precip_1h', unit: 'mm', description: 'accumulation of one hour, first pass' }],
  unit: 'mm',
  over: everywhere,
  values: 'amount',
  noCoverage: filled,
  latencySeconds: 1200,
  ...hourly,
})

export const qpeHour = mrms({
  id: 'mrms-qpe-1h',
  role: 'precip_1h',
  product: 'MultiSensor_QPE_01H_Pass2_00.00',
  parameter: 'MultiSensor_QPE_01H_Pass2',
  title: 'MRMS hourly precipitation, second pass',
  description: 'Accumulation of one hour, corrected by the gauges that report within an hour.',
  shownBy: ['history'],
  gives: [{ name: 'precip_1h', unit: 'mm', description: 'accumulation of one hour, second pass' }],
  unit: 'mm',
  over: everywhere,
  values: 'amount',
  noCoverage: filled,
  latencySeconds: 3600,
  ...hourly,
  // Totals of up to three days are sums of these hours.
  pastHours: 71,
  keepSeconds: 75 * 3600,
})

export const qpeDay = mrms({
  id: 'mrms-qpe-24h',
  role: 'precip_24h',
  product: 'MultiSensor_QPE_24H_Pass2_00.00',
  parameter: 'MultiSensor_QPE_24H_Pass2',
  title: 'MRMS precipitation of 24 hours',
  description: 'Accumulation of the 24 hours that end at its time, second pass, every hour.',
  shownBy: ['radar'],
  gives: [{ name: 'precip_24h', unit: 'mm', description: 'accumulation of the trailing 24 hours' }],
  unit: 'mm',
  over: everywhere,
  values: 'amount',
  noCoverage: filled,
  latencySeconds: 3600,
  ...hourly,
})

export const lightningDensity = mrms({
  id: 'mrms-lightning-density',
  role: 'lightning_density',
  product: 'NLDN_CG_005min_AvgDensity_00.00',
  parameter: 'NLDN_CG_005min_AvgDensity',
  title: 'Ground-strike density of five minutes',
  description: 'Cloud-to-ground strikes per square kilometre and minute, mean of five minutes.',
  shownBy: ['lightning'],
  gives: [{ name: 'lightning_density', unit: 'strikes/km2/min', description: 'ground strikes, mean of 5 minutes' }],
  unit: 'strikes/km2/min',
  over: ['conus'],
  values: 'amount',
  noCoverage: lightning,
  ...scan,
})

export const lightningProbability = mrms({
  id: 'mrms-lightning-prob',
  role: 'lightning_probability',
  product: 'LightningProbabilityNext30minGrid_scale_1',
  parameter: 'LightningProbabilityNext30minGrid',
  title: 'Probability of lightning in the next 30 minutes',
  description: 'Chance of a cloud-to-ground strike within 30 minutes.',
  shownBy: ['lightning'],
  gives: [{ name: 'lightning_prob', unit: '%', description: 'chance of lightning in the next 30 minutes' }],
  unit: '%',
  over: ['conus'],
  values: 'amount',
  noCoverage: lightning,
  ...scan,
})

/** All MRMS products; the products of the nowcast come first. */
export const mrmsProducts: readonly MrmsDataset[] = [
  precipRate,
  precipFlag,
  surfaceReflectivity,
  compositeReflectivity,
  lightningProbability,
  lightningDensity,
  radarQuality,
  qpeHourPass1,
  qpeHour,
  qpeDay,
]
