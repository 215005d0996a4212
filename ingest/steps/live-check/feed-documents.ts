import { airnow, hourlyObservationsUrl, reportingAreaUrl } from '../../datasets/airnow.ts'
import { climateLists } from '../../datasets/climate.ts'
import { metarCacheUrl, metarCycleUrl, stationTableUrl } from '../../datasets/metar.ts'
import { type OutlookFile, outlookFiles } from '../../datasets/spc.ts'
import { readAlertAtom } from '../../decode/alert/atom.ts'
import { readAlertGeoJson } from '../../decode/alert/geojson.ts'
import { readMapRows } from '../../decode/alert/map-rows.ts'
import { readOutlook } from '../../decode/outlook/spc-geojson.ts'
import { readPoints } from '../../decode/outlook/spc-pts.ts'
import { readHourlyObservations, readReportingAreas } from '../../decode/station/airnow.ts'
import { readMetarCacheInSlices, readMetarCycleInSlices } from '../../decode/station/metar-feed.ts'
import { readStationTable } from '../../decode/station/station-table.ts'
import { readTextList } from '../../decode/text/item.ts'
import { readPublicZones } from '../../decode/zone.ts'
import { publicZonesUrl } from '../../domain/alert/ugc.ts'
import { nth } from '../../domain/nth.ts'
import { textLists, textListUrl } from '../../domain/text/product.ts'
import { HOUR, type Instant } from '../../domain/time.ts'
import { isMapService, mapListUrl } from '../feeds/alert-map.ts'
import { ALERT_FEED } from '../feeds/alert-read.ts'
import type { SecondSources } from '../feeds/feed.ts'

/** A document that a feed reads. */
export interface FeedDocument {
  readonly name: string
  readonly url: string
  /** The Accept header with which the feed reads it. */
  readonly accept?: string
  /** Whether a document without rows is normal, such as an outlook without areas or a list of a rare product. */
  readonly mayBeEmpty?: boolean
  /** Whether another document has the same content, so that nothing is lost while this one is absent. */
  readonly hasTwin?: boolean
  /** Returns the number of rows that the feed reads from the document. @throws Fault Corrupt */
  rows(bytes: Uint8Array): number | Promise<number>
}

const GEOJSON = 'application/geo+json'
const LIST = 'application/ld+json'

/**
 * Returns an address of each kind of document, of first and second sources. The SPC outlooks share one format, so the
 * first outlook of each folder represents the others.
 */
export function feedDocuments(now: Instant, second: SecondSources): readonly FeedDocument[] {
  const state = 'DC'
  return [
    {
      name: 'alerts',
      url: ALERT_FEED,
      accept: `${GEOJSON}, application/cap+xml;q=0.5`,
      rows: (bytes) => readAlertGeoJson(textOf(bytes)).messages.length,
    },
    ...(second.alerts ?? []).flatMap(secondDocuments),
    ...outlookDocuments(now),
    ...textLists.map((list) => listDocument(`texts ${list.location ?? list.type}`, textListUrl(list))),
    ...climateLists.map(({ kind, all }) => listDocument(`climate ${kind}`, all)),
    {
      name: 'METARs',
      url: metarCacheUrl,
      rows: async (bytes) => (await readMetarCacheInSlices(bytes, metarCacheUrl)).reports.length,
    },
    {
      name: 'METARs, second source',
      url: metarCycleUrl(now - HOUR, second.metar),
      rows: async (bytes) => (await readMetarCycleInSlices(bytes, 'METAR cycle')).reports.length,
    },
    {
      name: 'METAR stations',
      url: stationTableUrl,
      rows: (bytes) => readStationTable(bytes, stationTableUrl).stations.length,
    },
    {
      name: 'air quality forecasts',
      url: reportingAreaUrl,
      rows: (bytes) => readReportingAreas(bytes, reportingAreaUrl).forecasts.length,
    },
    {
      name: `${airnow.id} hourly`,
      url: hourlyObservationsUrl(now - 2 * HOUR),
      rows: (bytes) => readHourlyObservations(bytes, 'HourlyAQObs').rows.length,
    },
    {
      name: 'public zones',
      url: publicZonesUrl(state),
      accept: GEOJSON,
      rows: (bytes) => readPublicZones(textOf(bytes), state).zones.length,
    },
  ]
}

/**
 * Documents of a second source of alerts. At times there are no warnings of short duration, so only the layer of all
 * alerts must have rows.
 */
const secondDocuments = (url: string): FeedDocument[] =>
  isMapService(url)
    ? [true, false].map((isShort) => ({
        name: `alerts, map of ${isShort ? 'short warnings' : 'all'}`,
        url: mapListUrl(url, isShort ? 0 : 1),
        accept: '*/*',
        mayBeEmpty: isShort,
        rows: (bytes: Uint8Array) => readMapRows(textOf(bytes)).rows.length,
      }))
    : [
        {
          name: 'alerts, second source',
          url,
          accept: 'application/atom+xml',
          rows: (bytes: Uint8Array) => readAlertAtom(textOf(bytes)).ids.length,
        },
      ]

const listDocument = (name: string, url: string): FeedDocument => ({
  name,
  url,
  accept: LIST,
  mayBeEmpty: true,
  rows: (bytes) => readTextList(textOf(bytes)).items.length,
})

function outlookDocuments(now: Instant): FeedDocument[] {
  const folders = new Map(outlookFiles.toReversed().map((file) => [folderOf(nth(file.urls, 0)), file]))
  const texts = new Set(outlookFiles.flatMap(({ points }) => points?.(now)[0] ?? []))
  return [
    ...Array.from(folders.values(), ({ product, urls }: OutlookFile) => ({
      name: `outlooks ${nameOf(nth(urls, 0))}`,
      url: nth(urls, 0),
      accept: 'application/json',
      mayBeEmpty: true,
      rows: (bytes: Uint8Array) => readOutlook(textOf(bytes), product).levels.length,
    })),
    ...Array.from(texts, (url) => ({
      name: `outlook text ${nameOf(url)}`,
      url,
      hasTwin: true,
      rows: (bytes: Uint8Array) => readPoints(new TextDecoder('latin1').decode(bytes)).length,
    })),
  ]
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
const folderOf = (url: string) => url.slice(0, url.lastIndexOf('/'))
