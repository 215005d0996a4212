import { isoSeconds } from '../../ingest/domain/time.ts'
import type { ClimateReport, RecordReport } from '../../ingest/domain/weather/climate.ts'

/** An item of `reports`, in °F and inches as in the text. */
export function reportItem({ station, name, date, issuedAt, office, preliminary, ...report }: ClimateReport) {
  const { temperature, precipitation, snow } = report
  const { normals, departures, highRecord, lowRecord } = temperature
  return {
    station,
    name,
    date,
    issued_at: isoSeconds(issuedAt),
    office,
    preliminary,
    temperature: {
      high: temperature.high,
      low: temperature.low,
      average: temperature.average,
      normals: { high: normals.high, low: normals.low, average: normals.average },
      departures: { high: departures.high, low: departures.low, average: departures.average },
      records: {
        high: highRecord.value,
        high_years: highRecord.years,
        low: lowRecord.value,
        low_years: lowRecord.years,
      },
    },
    precipitation: {
      total: precipitation.total,
      trace: precipitation.trace,
      month_to_date: precipitation.monthToDate,
      year_to_date: precipitation.yearToDate,
      normal: precipitation.normal,
      record: precipitation.record.value,
      record_years: precipitation.record.years,
    },
    snow: {
      total: snow.total,
      trace: snow.trace,
      depth: snow.depth,
      month_to_date: snow.monthToDate,
      season_to_date: snow.seasonToDate,
      normal: snow.normal,
      record: snow.record.value,
      record_years: snow.record.years,
    },
  }
}

/** An item of `records`. */
export function recordItem(record: RecordReport) {
  return {
    station: record.station,
    event: record.event,
    value: record.value,
    previous: record.previous,
    previous_year: record.previousYear,
    previous_years: record.previousYears,
    tied: record.tied,
    issued_at: isoSeconds(record.issuedAt),
    office: record.office,
    date: record.date,
    text: record.text,
  }
}

export type ReportItem = ReturnType<typeof reportItem>
export type RecordItem = ReturnType<typeof recordItem>
