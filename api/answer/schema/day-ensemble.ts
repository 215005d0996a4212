import { z } from 'zod'
import { doc, measured } from '../../present/property.ts'

const maybe = z.number().nullish()
const time = z.iso.datetime().nullable()
const WINDOW = 'in the 24 hours to ensemble_window_end'

const snow = (example: number, depth: string) =>
  measured(
    maybe,
    'percent',
    example,
    `Probability of more than ${depth} of snow near the point ${WINDOW}, from REFS: somewhere in the neighborhood, whose size upstream does not state in its files, so it is at least as great as at the point; null where REFS gives none`,
  )
const precipitation = (example: number, amount: string) =>
  measured(
    maybe,
    'percent',
    example,
    `Probability of more than ${amount} of precipitation ${WINDOW}, from the ensemble agreement scale of REFS; null where REFS gives none`,
  )

/** The members of DailyUncertainty that REFS provides. */
export const ensembleSchemas = {
  ensemble_snow_nearby_prob_gt_1in: snow(43, '1 inch (25 mm)'),
  ensemble_snow_nearby_prob_gt_3in: snow(21, '3 inches (76 mm)'),
  ensemble_snow_nearby_prob_gt_6in: snow(7, '6 inches (152 mm)'),
  ensemble_snow_nearby_prob_gt_12in: snow(0, '12 inches (304 mm)'),
  ensemble_snow_nearby_prob_gt_18in: snow(0, '18 inches (457 mm)'),
  ensemble_precip_prob_gt_010in: precipitation(62, '0.10 in (2.54 mm)'),
  ensemble_precip_prob_gt_025in: precipitation(41, '0.25 in (6.35 mm)'),
  ensemble_precip_prob_gt_050in: precipitation(18, '0.50 in (12.7 mm)'),
  ensemble_precip_prob_gt_100in: precipitation(6, '1 in (25.4 mm)'),
  ensemble_precip_prob_gt_200in: precipitation(1, '2 in (50.8 mm)'),
  ensemble_precip_prob_gt_300in: precipitation(0, '3 in (76.2 mm)'),
  ensemble_precip_prob_gt_500in: precipitation(0, '5 in (127 mm)'),
  ensemble_members: measured(
    z.int().nullish(),
    'count',
    14,
    'Number of members that REFS counts at ensemble_window_end; null where REFS gives none',
  ),
  ensemble_window_start: doc(
    time,
    'Start of the 24 hours of the probabilities from REFS, which share at least 22 hours with the row; null without them',
    '2026-11-23T12:00:00Z',
  ),
  ensemble_window_end: doc(
    time,
    'End of the 24 hours of the probabilities from REFS; null without them',
    '2026-11-24T12:00:00Z',
  ),
}
