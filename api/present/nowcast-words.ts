import type { DomainId } from '../../ingest/domain/domain.ts'
import type { Figure } from '../../ingest/domain/verification/figures.ts'
import type { NowcastFigure } from '../../ingest/domain/verification/nowcast.ts'

/** Names of the domains of radar, for people. */
export const domainNames: Readonly<Record<DomainId, string>> = {
  conus: 'Lower 48',
  alaska: 'Alaska',
  hawaii: 'Hawaii',
}

/**
 * The main result in one sentence, such as "30 minutes ahead the nowcast found 62 % of the rain of 0.1 mm/h or more …";
 * undefined if the nowcast or persistence has no score at this lead and threshold.
 */
export function nowcastSentence(
  figures: readonly NowcastFigure[],
  { domain, lead, threshold }: Pick<NowcastFigure, 'domain' | 'lead' | 'threshold'>,
): string | undefined {
  const find = (source: NowcastFigure['source']) =>
    figures.find(
      (figure) =>
        figure.domain === domain && figure.lead === lead && figure.threshold === threshold && figure.source === source,
    )
  const [nowcast, persistence, model] = [find('nowcast'), find('persistence'), find('model')]
  if (!nowcast?.scores['pod'] || !persistence?.scores['pod']) return undefined
  const { frames, days } = nowcast
  const count = `n = ${frames.toLocaleString('en')} radar frames on ${days} day${days === 1 ? '' : 's'}`
  const both = (text: (figure: NowcastFigure) => string) => [text(nowcast), text(persistence)] as const
  const [hits, stillHits] = both(({ scores }) => percentOf(scores['pod']))
  const [falseAlarms, stillFalseAlarms] = both(({ scores }) => percentOf(scores['far']))
  const [csi, stillCsi] = both(({ scores }) => scores['csi']?.value.toFixed(2) ?? 'undefined')
  return (
    `${domainNames[domain]}: ${lead} minutes ahead the nowcast found ${hits} of the pixels with ${threshold} mm/h or more against ${stillHits} of persistence (the last radar frame, unmoved); ` +
    `of the pixels where each forecast it, ${falseAlarms} against ${stillFalseAlarms} stayed below; CSI ${csi} against ${stillCsi}; ${count}.${model?.scores['pod'] ? ` ${modelSentence(model)}` : ''}`
  )
}

/** The result of the model, which is of other frames and of points. */
function modelSentence({ scores, frames, threshold }: NowcastFigure): string {
  const csi = scores['csi']?.value.toFixed(2) ?? 'undefined'
  return `At full hours and at points within the states, which are not the same pixels, the model (HRRR, the run that was served then) found ${percentOf(scores['pod'])} of the points with ${threshold} mm/h or more; of those where it forecast it, ${percentOf(scores['far'])} stayed below; CSI ${csi}; n = ${frames.toLocaleString('en')} radar frames.`
}

const percentOf = (score: Figure | undefined) => (score ? `${Math.round(100 * score.value)} %` : 'none')
