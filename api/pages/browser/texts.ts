import type { PageWeather } from './api.ts'
import { el, section } from './dom.ts'
import { age, type Clock } from './format.ts'
import { riskList } from './risks.ts'

interface Text {
  readonly title: string
  readonly summary?: string | undefined
  readonly body?: string | undefined
  readonly issued?: string | null | undefined
}

/** Texts of forecasters, outlooks, and the report of the nearest station. */
export function texts({ guidance, outlooks = [], metar, units }: PageWeather, clock: Clock): HTMLElement | undefined {
  const list: Text[] = []
  if (guidance?.now) list.push({ title: 'Short term forecast', ...guidance.now, issued: guidance.now.issued_at })
  if (guidance?.hls) list.push({ title: 'Hurricane local statement', ...guidance.hls, issued: guidance.hls.issued_at })
  for (const discussion of guidance?.mcds ?? [])
    list.push({
      title: `Mesoscale discussion ${discussion.mcd_number}`,
      summary: discussion.concerning ?? discussion.summary,
      body: discussion.body,
      issued: discussion.issued_at,
    })
  for (const discussion of guidance?.mpds ?? [])
    list.push({
      title: `Precipitation discussion ${discussion.mpd_number}`,
      summary: discussion.concerning ?? discussion.summary,
      body: discussion.body,
      issued: discussion.issued_at,
    })
  if (guidance?.hwo?.has_active_hazards)
    list.push({
      title: 'Hazardous weather outlook',
      summary: guidance.hwo.day_one ?? guidance.hwo.summary,
      body: guidance.hwo.body,
      issued: guidance.hwo.issued_at,
    })
  const afd = guidance?.afd
  if (afd)
    list.push({
      title: `Forecaster's discussion${afd.wfo ? `, ${afd.wfo}` : ''}`,
      summary: afd.key_takeaway ?? afd.synopsis,
      body: afd.body,
      issued: afd.issued_at,
    })
  const risks = riskList(outlooks, clock)
  if (list.length === 0 && !risks && !metar) return undefined
  return section(
    'From the forecasters',
    'texts',
    risks,
    ...list.map(({ title, summary, body, issued }) =>
      el(
        'details',
        {},
        el('summary', {}, title, issued ? el('span', { class: 'quiet' }, ` ${clock.day(issued)}`) : ''),
        summary && el('p', {}, summary),
        body && el('p', { class: 'text' }, body),
      ),
    ),
    metar &&
      el(
        'p',
        { class: 'quiet' },
        `Nearest station ${metar.station_id}, ${distance(metar.distance_km, units)} away, reported ${age(metar.age_min * 60)} ago${metar.weather?.length ? `: ${metar.weather.join(', ')}` : ''}${metar.ceiling_ft ? `, ceiling ${metar.ceiling_ft.toLocaleString('en-US')} ft` : ''}${units ? '.' : ''}`,
      ),
  )
}

const KM_PER_MILE = 1.609344
const distance = (km: number, units: PageWeather['units']): string =>
  units?.visibility === 'mi' ? `${(km / KM_PER_MILE).toFixed(1)} mi` : `${km} km`
