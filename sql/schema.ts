// Written by npm run generate from the migrations; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

// JSON is written as text and read as parsed values.

export interface AccountTable {
  id: string
  email: string
  email_verified: Generated<boolean>
  issuer: Generated<string>
  subject: string
  plan: Generated<string>
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface AirQualityForecastTable {
  id: GeneratedAlways<number>
  area: string
  state: string
  place: string
  date: string
  pollutant: string
  aqi: number | null
  category: string | null
  action_day: boolean
  issued: string
  written_xid: Generated<string>
}

export interface AlertTable {
  id: string
  head: ColumnType<unknown, string, string>
  record: ColumnType<unknown, string, string>
  track: string
  status: string
  sent: ColumnType<Date, Date | string, Date | string>
  expiration: ColumnType<Date, Date | string, Date | string>
  absences: Generated<number>
  shown: ColumnType<unknown | null, string | null, string | null>
  polygon: string | null
  clipped: Generated<boolean>
  cells: Generated<string[]>
  version: number
  written_xid: Generated<string>
}

export interface AlertChangeTable {
  id: number
  alert_id: string
  payload: ColumnType<unknown, string, string>
  office: string | null
  status: string
  at: ColumnType<Date, Date | string, Date | string>
}

export interface AlertZoneTable {
  alert_id: string
  kind: string
  code: string
  stand_in: Generated<boolean>
  written_xid: Generated<string>
}

export interface ApiKeyTable {
  prefix: string
  hash: Uint8Array
  name: string
  plan: string
  scopes: Generated<string[]>
  account_id: string | null
  channel: Generated<string>
  ticket: Uint8Array | null
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  revoked_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  changed_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface ClimateRecordTable {
  text_id: string
  ordinal: number
  station: string
  event: string
  date: string
  office: string
  issued_at: ColumnType<Date, Date | string, Date | string>
  wmo_at: ColumnType<Date, Date | string, Date | string>
  bbb_rank: number
  record: ColumnType<unknown, string, string>
}

export interface ClimateReportTable {
  station: string
  name: string
  date: string
  text_id: string
  office: string
  issued_at: ColumnType<Date, Date | string, Date | string>
  wmo_at: ColumnType<Date, Date | string, Date | string>
  bbb_rank: number
  report: ColumnType<unknown, string, string>
}

export interface ClimateTextTable {
  id: string
  kind: string
  location: string
  office: string
  issued_at: ColumnType<Date, Date | string, Date | string>
  rejected: string | null
  read_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface FeedStateTable {
  feed: string
  etag: string | null
  last_modified: string | null
  digest: string | null
  updated: ColumnType<Date | null, Date | string | null, Date | string | null>
  looked_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  confirmed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  failed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  failure: string | null
  suspicious: Generated<boolean>
  rejected: ColumnType<unknown, string | undefined, string>
  version: Generated<number>
  born: ColumnType<Date, Date | string | undefined, Date | string>
  failures: Generated<number>
  written_xid: Generated<string>
}

export interface FrameSweepTable {
  dataset: string
  began_at: ColumnType<Date, Date | string, Date | string>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  failing_since: ColumnType<Date | null, Date | string | null, Date | string | null>
  failure: string | null
}

export interface FreshnessDayTable {
  dataset: string
  domain: Generated<string>
  day: string
  checked: number
  fresh: number
  first_at: ColumnType<Date, Date | string, Date | string>
  last_at: ColumnType<Date, Date | string, Date | string>
}

export interface IdempotencyTable {
  account_id: string
  key: string
  body_hash: Uint8Array
  prefix: string | null
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface IncarnationTable {
  only_row: Generated<boolean>
  id: string
  first: string
  history: string | null
  since: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface IssuedForecastTable {
  issued: ColumnType<Date, Date | string, Date | string>
  stations: number
  bytes: number
}

export interface KeyUsageTable {
  subject: string
  tokens: number
  tokens_at: ColumnType<Date, Date | string, Date | string>
  day: string
  day_count: Generated<number>
  month: string
  month_count: Generated<number>
  total: Generated<number>
  granted: Generated<number>
}

export interface MailTable {
  id: GeneratedAlways<number>
  recipient: string
  subject: string
  body: string
  at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface MetricsLeaseTable {
  name: string
  holder: string
  expires_at: ColumnType<Date, Date | string, Date | string>
}

export interface MonitorHourTable {
  monitor: string
  hour: ColumnType<Date, Date | string, Date | string>
  name: string
  agency: string
  place: string
  active: boolean
  pm25: number | null
  ozone: number | null
  pm10: number | null
  written_xid: Generated<string>
}

export interface NowcastCalibrationTable {
  domain: string
  day: string
  learned: ColumnType<unknown, string, string>
}

export interface NowcastDayTable {
  domain: string
  day: string
  lead: number
  threshold: number
  frames: number
  pixels: number
  hits: number
  misses: number
  false_alarms: number
  still_hits: number
  still_misses: number
  still_false_alarms: number
  model_frames: Generated<number>
  model_pixels: Generated<number>
  model_hits: Generated<number>
  model_misses: Generated<number>
  model_false_alarms: Generated<number>
}

export interface NowcastProbabilityDayTable {
  domain: string
  day: string
  lead: number
  bin: number
  points: number
  probability: number
  wet: number
}

export interface NowcastRawDayTable {
  domain: string
  day: string
  lead: number
  bin: number
  points: number
  probability: number
  wet: number
}

export interface NowcastScoreTable {
  domain: string
  valid: ColumnType<Date, Date | string, Date | string>
  lead: number
  threshold: number
  hits: number
  misses: number
  false_alarms: number
}

export interface ObservationTable {
  station: string
  observed_at: ColumnType<Date, Date | string, Date | string>
  place: string
  elevation_m: number | null
  report_type: string
  corrected: boolean
  auto: boolean
  raw: string
  temperature_c: number | null
  dew_point_c: number | null
  wind_direction: number | null
  wind_speed_ms: number | null
  wind_gust_ms: number | null
  visibility_m: number | null
  pressure_pa: number | null
  layers: ColumnType<unknown | null, string | null, string | null>
  weather: Generated<string[]>
  received_at: ColumnType<Date, Date | string | undefined, Date | string>
  version: number
  written_xid: Generated<string>
}

export interface OidcRecordTable {
  model: string
  id: string
  payload: ColumnType<unknown, string, string>
  grant_id: string | null
  user_code: string | null
  uid: string | null
  consumed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface OnsetWatchTable {
  webhook_id: string
  subject: string
  anchor: ColumnType<Date, Date | string, Date | string>
  armed: boolean
  dry_from: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface OriginTable {
  only_row: Generated<boolean>
  simulated: boolean
  since: ColumnType<Date, Date | string | undefined, Date | string>
  mirror: string | null
  written_xid: Generated<string>
}

export interface OutboxTable {
  id: GeneratedAlways<number>
  topic: string
  key: string
  payload: ColumnType<unknown, string, string>
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
  sent_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  trace: string | null
}

export interface OutboxDeadTable {
  id: number
  topic: string
  key: string
  payload: ColumnType<unknown, string, string>
  trace: string | null
  created_at: ColumnType<Date, Date | string, Date | string>
  failed_at: ColumnType<Date, Date | string | undefined, Date | string>
  reason: string
}

export interface OutlookTable {
  product: string
  scale: string
  label: string
  rank: number
  area: string
  written_xid: Generated<string>
}

export interface OutlookProductTable {
  product: string
  day: number
  hazard: string
  source: string
  issued_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  valid_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  version: number
  fetched_at: ColumnType<Date, Date | string | undefined, Date | string>
  written_xid: Generated<string>
}

export interface PaymentTable {
  payer: string
  nonce: string
  valid_until: ColumnType<Date, Date | string, Date | string>
}

export interface PointerTable {
  dataset: string
  domain: Generated<string>
  run: ColumnType<Date, Date | string, Date | string>
  stage: Generated<number>
  manifest_key: string
  published_at: ColumnType<Date, Date | string | undefined, Date | string>
  written_xid: Generated<string>
  revision: Generated<number>
}

export interface QuarantineTable {
  id: GeneratedAlways<number>
  dataset: string
  domain: Generated<string>
  run: ColumnType<Date, Date | string, Date | string>
  variable: Generated<string>
  reason: string
  detail: string
  url: Generated<string>
  leads: Generated<number[]>
  object: string | null
  bytes: Generated<number>
  first_at: ColumnType<Date, Date | string | undefined, Date | string>
  last_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface QuarantineCountTable {
  dataset: string
  reason: string
  total: Generated<number>
}

export interface RejectedEntryTable {
  feed: string
  reason: string
  id: Generated<string>
  detail: string
  seen_at: ColumnType<Date, Date | string | undefined, Date | string>
  times: Generated<number>
}

export interface RetirementTable {
  step: string
  first_at: ColumnType<Date, Date | string | undefined, Date | string>
  succeeded_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  failed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  failure: string | null
}

export interface RunTable {
  dataset: string
  run: ColumnType<Date, Date | string, Date | string>
  domain: Generated<string>
  state: string
  reason: string | null
  wanted: Generated<number>
  got: Generated<number>
  missing: Generated<number>
  published_to: number | null
  manifest_key: string | null
  manifest: ColumnType<unknown | null, string | null, string | null>
  claimed_at: ColumnType<Date, Date | string | undefined, Date | string>
  published_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  upstream_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  written_xid: Generated<string>
  revision: Generated<number>
}

export interface RunRevisionTable {
  dataset: string
  domain: string
  run: ColumnType<Date, Date | string, Date | string>
  revision: number
  stage: number
  published_to: number | null
  manifest_key: string
  manifest: ColumnType<unknown | null, string | null, string | null>
  wanted: number
  got: number
  missing: number
  replaced_at: ColumnType<Date, Date | string | undefined, Date | string>
  rolled_back: Generated<boolean>
  removed_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface RunTimingTable {
  dataset: string
  domain: Generated<string>
  stage: number
  slot: ColumnType<Date, Date | string, Date | string>
  run: ColumnType<Date, Date | string, Date | string>
  first_seen: ColumnType<Date | null, Date | string | null, Date | string | null>
  last_seen: ColumnType<Date | null, Date | string | null, Date | string | null>
  served_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  due_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  late_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface SeasonDayTable {
  dataset: string
  domain: string
  date: string
  hours: number
  wanted: number
  slab_key: string
  built_at: ColumnType<Date, Date | string | undefined, Date | string>
  cover: Generated<string>
  observed: Generated<number>
  superseded: Generated<string[]>
}

export interface SeasonHourTable {
  dataset: string
  domain: string
  hour: ColumnType<Date, Date | string, Date | string>
  slab_key: string
  kept_at: ColumnType<Date, Date | string | undefined, Date | string>
  cover: Generated<string>
}

export interface SeasonMonthTable {
  dataset: string
  domain: string
  month: string
  hours: number
  days: number
  manifest_key: string
  superseded: string | null
  published_at: ColumnType<Date, Date | string | undefined, Date | string>
  cover: Generated<string>
  observed: Generated<number>
  analysis: Generated<string[]>
}

export interface SecondSourceTable {
  dataset: string
  source: string
  reason: string
  since: ColumnType<Date, Date | string | undefined, Date | string>
  until: ColumnType<Date, Date | string, Date | string>
}

export interface ServedStateTable {
  source: string
  since: ColumnType<Date, Date | string, Date | string>
  snapshot: string
  clock_lead_ms: Generated<number>
  unread_since: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface StationTable {
  id: string
  iata: string | null
  faa: string | null
  name: string
  state: string | null
  country: string | null
  place: string | null
  elevation_m: number | null
  metar: boolean
  version: number
  written_xid: Generated<string>
}

export interface TextChangeTable {
  id: number
  item: string
  part: number
  payload: ColumnType<unknown, string, string>
  at: ColumnType<Date, Date | string, Date | string>
}

export interface TextItemTable {
  id: string
  list: string
  office: string
  issued_at: ColumnType<Date, Date | string, Date | string>
  outcome: string
  reason: string | null
  detail: string | null
  tries: Generated<number>
  tried_at: ColumnType<Date, Date | string | undefined, Date | string>
  written_xid: Generated<string>
}

export interface TextProductTable {
  item: string
  part: number
  kind: string
  awips: string
  office: string
  wfo: string | null
  subject: string
  wmo_at: ColumnType<Date, Date | string, Date | string>
  bbb_rank: number
  issued_at: ColumnType<Date, Date | string, Date | string>
  current_until: ColumnType<Date, Date | string, Date | string>
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  record: ColumnType<unknown, string, string>
  attention: Generated<string[]>
  area: string | null
  newest: boolean
  ended: Generated<boolean>
  version: number
  fetched_at: ColumnType<Date, Date | string | undefined, Date | string>
  written_xid: Generated<string>
}

export interface UpstreamCheckTable {
  name: string
  state: string
  detail: string
  checked_at: ColumnType<Date, Date | string, Date | string>
}

export interface UpstreamCheckRunTable {
  only_row: Generated<boolean>
  began_at: ColumnType<Date, Date | string, Date | string>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  failure: string | null
}

export interface UsageDayTable {
  subject: string
  day: string
  calls: number
}

export interface VerificationTable {
  area: string
  kind: string
  variable: string
  day: string
  layout: number
  sums: number[]
}

export interface VerificationPartTable {
  kind: string
  variable: string
  day: string
  part: number
  layout: number
  areas: string[]
  ends: number[]
  sums: Uint8Array
}

export interface VerifiedDayTable {
  day: string
  pairs: number
  stations: number
  verified_at: ColumnType<Date, Date | string | undefined, Date | string>
}

export interface VerifiedStationTable {
  id: string
  name: string
  place: string
  state: string
  office: string | null
  domain: string
  timezone: string
  hours: Generated<number>
  wet_hours: Generated<number>
  seen: string
}

export interface WebhookTable {
  id: string
  key_prefix: string
  url: string
  events: string[]
  filter: ColumnType<unknown, string | undefined, string>
  description: Generated<string>
  secret: string
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
  disabled_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  waiting: Generated<number>
  failures: Generated<number>
  failing_since: ColumnType<Date | null, Date | string | null, Date | string | null>
  next_at: ColumnType<Date | null, Date | string | null, Date | string | null>
}

export interface WebhookCursorTable {
  source: string
  position: number
}

export interface WebhookDeliveryTable {
  id: string
  webhook_id: string
  seq: GeneratedAlways<number>
  subject: string
  type: string
  source: string
  source_id: number
  body: string
  state: Generated<string>
  attempts: Generated<number>
  next_at: ColumnType<Date, Date | string | undefined, Date | string>
  leased_until: ColumnType<Date | null, Date | string | null, Date | string | null>
  status: number | null
  error: string | null
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  head: Generated<boolean>
}

export interface ZoneTable {
  kind: string
  code: string
  version: string | null
  etag: string | null
  tried_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  failure: string | null
  changed: Generated<number>
  written_xid: Generated<string>
}

export interface ZoneShapeTable {
  kind: string
  code: string
  version: string
  name: Generated<string>
  shape: string
  cells: string[]
  effective_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  fetched_at: ColumnType<Date, Date | string | undefined, Date | string>
  written_xid: Generated<string>
}

export interface Schema {
  account: AccountTable
  air_quality_forecast: AirQualityForecastTable
  alert: AlertTable
  alert_change: AlertChangeTable
  alert_zone: AlertZoneTable
  api_key: ApiKeyTable
  climate_record: ClimateRecordTable
  climate_report: ClimateReportTable
  climate_text: ClimateTextTable
  feed_state: FeedStateTable
  frame_sweep: FrameSweepTable
  freshness_day: FreshnessDayTable
  idempotency: IdempotencyTable
  incarnation: IncarnationTable
  issued_forecast: IssuedForecastTable
  key_usage: KeyUsageTable
  mail: MailTable
  metrics_lease: MetricsLeaseTable
  monitor_hour: MonitorHourTable
  nowcast_calibration: NowcastCalibrationTable
  nowcast_day: NowcastDayTable
  nowcast_probability_day: NowcastProbabilityDayTable
  nowcast_raw_day: NowcastRawDayTable
  nowcast_score: NowcastScoreTable
  observation: ObservationTable
  oidc_record: OidcRecordTable
  onset_watch: OnsetWatchTable
  origin: OriginTable
  outbox: OutboxTable
  outbox_dead: OutboxDeadTable
  outlook: OutlookTable
  outlook_product: OutlookProductTable
  payment: PaymentTable
  pointer: PointerTable
  quarantine: QuarantineTable
  quarantine_count: QuarantineCountTable
  rejected_entry: RejectedEntryTable
  retirement: RetirementTable
  run: RunTable
  run_revision: RunRevisionTable
  run_timing: RunTimingTable
  season_day: SeasonDayTable
  season_hour: SeasonHourTable
  season_month: SeasonMonthTable
  second_source: SecondSourceTable
  served_state: ServedStateTable
  station: StationTable
  text_change: TextChangeTable
  text_item: TextItemTable
  text_product: TextProductTable
  upstream_check: UpstreamCheckTable
  upstream_check_run: UpstreamCheckRunTable
  usage_day: UsageDayTable
  verification: VerificationTable
  verification_part: VerificationPartTable
  verified_day: VerifiedDayTable
  verified_station: VerifiedStationTable
  webhook: WebhookTable
  webhook_cursor: WebhookCursorTable
  webhook_delivery: WebhookDeliveryTable
  zone: ZoneTable
  zone_shape: ZoneShapeTable
}
