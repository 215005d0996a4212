-- Written by npm run generate from the migrations; do not edit.

create table account (
  id text not null,
  email text not null,
  email_verified boolean default false not null,
  issuer text default ''::text not null,
  subject text not null,
  plan text default 'free'::text not null,
  created_at timestamp with time zone default now() not null,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_issuer_subject_key UNIQUE (issuer, subject),
  constraint account_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'developer'::text, 'professional'::text])))
);

create table air_quality_forecast (
  id bigint generated always as identity not null,
  area text not null,
  state text not null,
  place geometry(Point,4326) not null,
  date date not null,
  pollutant text not null,
  aqi integer,
  category text,
  action_day boolean not null,
  issued date not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint air_quality_forecast_pkey PRIMARY KEY (id)
);

create table alert (
  id text not null,
  head jsonb not null,
  record jsonb not null,
  track text not null,
  status text not null,
  sent timestamp with time zone not null,
  expiration timestamp with time zone not null,
  absences integer default 0 not null,
  shown jsonb,
  polygon geometry(MultiPolygon,4326),
  clipped boolean default false not null,
  cells text[] default '{}'::text[] not null,
  version bigint not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint alert_pkey PRIMARY KEY (id)
);

create table alert_change (
  id bigint not null,
  alert_id text not null,
  payload jsonb not null,
  office text,
  status text not null,
  at timestamp with time zone not null,
  constraint alert_change_pkey PRIMARY KEY (id)
);

create table alert_zone (
  alert_id text not null,
  kind text not null,
  code text not null,
  stand_in boolean default false not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint alert_zone_pkey PRIMARY KEY (alert_id, kind, code),
  constraint alert_zone_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alert(id) ON DELETE CASCADE,
  constraint alert_zone_kind_check CHECK ((kind = ANY (ARRAY['forecast'::text, 'county'::text, 'fire'::text])))
);

create table api_key (
  prefix text not null,
  hash bytea not null,
  name text not null,
  plan text not null,
  scopes text[] default '{weather:read}'::text[] not null,
  account_id text,
  channel text default 'cli'::text not null,
  ticket bytea,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  changed_at timestamp with time zone default clock_timestamp() not null,
  constraint api_key_pkey PRIMARY KEY (prefix),
  constraint api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint api_key_hash_key UNIQUE (hash),
  constraint api_key_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'developer'::text, 'professional'::text, 'trial'::text])))
);

create table climate_record (
  text_id text not null,
  ordinal integer not null,
  station text not null,
  event text not null,
  date date not null,
  office text not null,
  issued_at timestamp with time zone not null,
  wmo_at timestamp with time zone not null,
  bbb_rank integer not null,
  record jsonb not null,
  constraint climate_record_pkey PRIMARY KEY (text_id, ordinal),
  constraint climate_record_text_id_fkey FOREIGN KEY (text_id) REFERENCES climate_text(id) ON DELETE CASCADE
);

create table climate_report (
  station text not null,
  name text not null,
  date date not null,
  text_id text not null,
  office text not null,
  issued_at timestamp with time zone not null,
  wmo_at timestamp with time zone not null,
  bbb_rank integer not null,
  report jsonb not null,
  constraint climate_report_pkey PRIMARY KEY (station, date, name),
  constraint climate_report_text_id_fkey FOREIGN KEY (text_id) REFERENCES climate_text(id) ON DELETE CASCADE
);

create table climate_text (
  id text not null,
  kind text not null,
  location text not null,
  office text not null,
  issued_at timestamp with time zone not null,
  rejected text,
  read_at timestamp with time zone default clock_timestamp() not null,
  constraint climate_text_pkey PRIMARY KEY (id),
  constraint climate_text_kind_check CHECK ((kind = ANY (ARRAY['CLI'::text, 'RER'::text])))
);

create table feed_state (
  feed text not null,
  etag text,
  last_modified text,
  digest text,
  updated timestamp with time zone,
  looked_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  failed_at timestamp with time zone,
  failure text,
  suspicious boolean default false not null,
  rejected jsonb default '{}'::jsonb not null,
  version bigint default 0 not null,
  born timestamp with time zone default clock_timestamp() not null,
  failures integer default 0 not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint feed_state_pkey PRIMARY KEY (feed)
);

create table frame_sweep (
  dataset text not null,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  failing_since timestamp with time zone,
  failure text,
  constraint frame_sweep_pkey PRIMARY KEY (dataset)
);

create table freshness_day (
  dataset text not null,
  domain text default ''::text not null,
  day date not null,
  checked integer not null,
  fresh integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint freshness_day_pkey PRIMARY KEY (dataset, domain, day)
);

create table idempotency (
  account_id text not null,
  key text not null,
  body_hash bytea not null,
  prefix text,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_pkey PRIMARY KEY (account_id, key),
  constraint idempotency_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint idempotency_prefix_fkey FOREIGN KEY (prefix) REFERENCES api_key(prefix)
);

create table incarnation (
  only_row boolean default true not null,
  id text not null,
  first text not null,
  history text,
  since timestamp with time zone default clock_timestamp() not null,
  constraint incarnation_pkey PRIMARY KEY (only_row),
  constraint incarnation_id_check CHECK ((id ~ '^[0-9a-f]{8}$'::text)),
  constraint incarnation_only_row_check CHECK (only_row)
);

create table issued_forecast (
  issued timestamp with time zone not null,
  stations integer not null,
  bytes integer not null,
  constraint issued_forecast_pkey PRIMARY KEY (issued)
);

create table key_usage (
  subject text not null,
  tokens double precision not null,
  tokens_at timestamp with time zone not null,
  day date not null,
  day_count bigint default 0 not null,
  month date not null,
  month_count bigint default 0 not null,
  total bigint default 0 not null,
  granted integer default 0 not null,
  constraint key_usage_pkey PRIMARY KEY (subject)
);

create table mail (
  id bigint generated always as identity not null,
  recipient text not null,
  subject text not null,
  body text not null,
  at timestamp with time zone default now() not null,
  constraint mail_pkey PRIMARY KEY (id)
);

create table metrics_lease (
  name text not null,
  holder text not null,
  expires_at timestamp with time zone not null,
  constraint metrics_lease_pkey PRIMARY KEY (name)
);

create table monitor_hour (
  monitor text not null,
  hour timestamp with time zone not null,
  name text not null,
  agency text not null,
  place geometry(Point,4326) not null,
  active boolean not null,
  pm25 integer,
  ozone integer,
  pm10 integer,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint monitor_hour_pkey PRIMARY KEY (monitor, hour)
);

create table nowcast_calibration (
  domain text not null,
  day date not null,
  learned jsonb not null,
  constraint nowcast_calibration_pkey PRIMARY KEY (domain, day)
);

create table nowcast_day (
  domain text not null,
  day date not null,
  lead smallint not null,
  threshold double precision not null,
  frames integer not null,
  pixels bigint not null,
  hits bigint not null,
  misses bigint not null,
  false_alarms bigint not null,
  still_hits bigint not null,
  still_misses bigint not null,
  still_false_alarms bigint not null,
  model_frames integer default 0 not null,
  model_pixels bigint default 0 not null,
  model_hits bigint default 0 not null,
  model_misses bigint default 0 not null,
  model_false_alarms bigint default 0 not null,
  constraint nowcast_day_pkey PRIMARY KEY (domain, day, lead, threshold)
);

create table nowcast_probability_day (
  domain text not null,
  day date not null,
  lead smallint not null,
  bin smallint not null,
  points bigint not null,
  probability double precision not null,
  wet bigint not null,
  constraint nowcast_probability_day_pkey PRIMARY KEY (domain, day, lead, bin)
);

create table nowcast_raw_day (
  domain text not null,
  day date not null,
  lead smallint not null,
  bin smallint not null,
  points bigint not null,
  probability double precision not null,
  wet bigint not null,
  constraint nowcast_raw_day_pkey PRIMARY KEY (domain, day, lead, bin)
);

create table nowcast_score (
  domain text not null,
  valid timestamp with time zone not null,
  lead smallint not null,
  threshold real not null,
  hits integer not null,
  misses integer not null,
  false_alarms integer not null,
  constraint nowcast_score_pkey PRIMARY KEY (domain, valid, lead, threshold)
);

create table observation (
  station text not null,
  observed_at timestamp with time zone not null,
  place geometry(Point,4326) not null,
  elevation_m real,
  report_type text not null,
  corrected boolean not null,
  auto boolean not null,
  raw text not null,
  temperature_c real,
  dew_point_c real,
  wind_direction smallint,
  wind_speed_ms double precision,
  wind_gust_ms double precision,
  visibility_m double precision,
  pressure_pa double precision,
  layers jsonb,
  weather text[] default '{}'::text[] not null,
  received_at timestamp with time zone default clock_timestamp() not null,
  version bigint not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint observation_pkey PRIMARY KEY (station, observed_at),
  constraint observation_report_type_check CHECK ((report_type = ANY (ARRAY['METAR'::text, 'SPECI'::text])))
);

create table oidc_record (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  user_code text,
  uid text,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint oidc_record_pkey PRIMARY KEY (model, id)
);

create table onset_watch (
  webhook_id text not null,
  subject text not null,
  anchor timestamp with time zone not null,
  armed boolean not null,
  dry_from timestamp with time zone,
  constraint onset_watch_pkey PRIMARY KEY (webhook_id),
  constraint onset_watch_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE
);

create table origin (
  only_row boolean default true not null,
  simulated boolean not null,
  since timestamp with time zone default now() not null,
  mirror text,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint origin_pkey PRIMARY KEY (only_row),
  constraint origin_only_row_check CHECK (only_row)
);

create table outbox (
  id bigint generated always as identity not null,
  topic text not null,
  key text not null,
  payload jsonb not null,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  trace text,
  constraint outbox_pkey PRIMARY KEY (id)
);

create table outbox_dead (
  id bigint not null,
  topic text not null,
  key text not null,
  payload jsonb not null,
  trace text,
  created_at timestamp with time zone not null,
  failed_at timestamp with time zone default now() not null,
  reason text not null,
  constraint outbox_dead_pkey PRIMARY KEY (id)
);

create table outlook (
  product text not null,
  scale text not null,
  label text not null,
  rank integer not null,
  area geometry(MultiPolygon,4326) not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint outlook_pkey PRIMARY KEY (product, label),
  constraint outlook_product_fkey FOREIGN KEY (product) REFERENCES outlook_product(product) ON DELETE CASCADE,
  constraint outlook_scale_check CHECK ((scale = ANY (ARRAY['category'::text, 'probability'::text, 'intensity'::text])))
);

create table outlook_product (
  product text not null,
  day integer not null,
  hazard text not null,
  source text not null,
  issued_at timestamp with time zone,
  valid_at timestamp with time zone,
  expires_at timestamp with time zone,
  version bigint not null,
  fetched_at timestamp with time zone default clock_timestamp() not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint outlook_product_pkey PRIMARY KEY (product)
);

create table payment (
  payer text not null,
  nonce text not null,
  valid_until timestamp with time zone not null,
  constraint payment_pkey PRIMARY KEY (payer, nonce)
);

create table pointer (
  dataset text not null,
  domain text default ''::text not null,
  run timestamp with time zone not null,
  stage integer default 0 not null,
  manifest_key text not null,
  published_at timestamp with time zone default now() not null,
  written_xid xid8 default pg_current_xact_id() not null,
  revision integer default 0 not null,
  constraint pointer_pkey PRIMARY KEY (dataset, domain)
);

create table quarantine (
  id bigint generated always as identity not null,
  dataset text not null,
  domain text default ''::text not null,
  run timestamp with time zone not null,
  variable text default ''::text not null,
  reason text not null,
  detail text not null,
  url text default ''::text not null,
  leads smallint[] default '{}'::smallint[] not null,
  object text,
  bytes integer default 0 not null,
  first_at timestamp with time zone default clock_timestamp() not null,
  last_at timestamp with time zone default clock_timestamp() not null,
  constraint quarantine_pkey PRIMARY KEY (id),
  constraint quarantine_dataset_domain_run_variable_reason_key UNIQUE (dataset, domain, run, variable, reason)
);

create table quarantine_count (
  dataset text not null,
  reason text not null,
  total bigint default 0 not null,
  constraint quarantine_count_pkey PRIMARY KEY (dataset, reason)
);

create table rejected_entry (
  feed text not null,
  reason text not null,
  id text default ''::text not null,
  detail text not null,
  seen_at timestamp with time zone default clock_timestamp() not null,
  times integer default 1 not null,
  constraint rejected_entry_pkey PRIMARY KEY (feed, reason, id, detail)
);

create table retirement (
  step text not null,
  first_at timestamp with time zone default now() not null,
  succeeded_at timestamp with time zone,
  failed_at timestamp with time zone,
  failure text,
  constraint retirement_pkey PRIMARY KEY (step)
);

create table run (
  dataset text not null,
  run timestamp with time zone not null,
  domain text default ''::text not null,
  state text not null,
  reason text,
  wanted integer default 0 not null,
  got integer default 0 not null,
  missing integer default 0 not null,
  published_to integer,
  manifest_key text,
  manifest jsonb,
  claimed_at timestamp with time zone default now() not null,
  published_at timestamp with time zone,
  ended_at timestamp with time zone,
  upstream_at timestamp with time zone,
  written_xid xid8 default pg_current_xact_id() not null,
  revision integer default 0 not null,
  constraint run_pkey PRIMARY KEY (dataset, domain, run),
  constraint run_state_check CHECK ((state = ANY (ARRAY['claimed'::text, 'published'::text, 'rejected'::text, 'gone'::text, 'retired'::text])))
);

create table run_revision (
  dataset text not null,
  domain text not null,
  run timestamp with time zone not null,
  revision integer not null,
  stage integer not null,
  published_to integer,
  manifest_key text not null,
  manifest jsonb,
  wanted integer not null,
  got integer not null,
  missing integer not null,
  replaced_at timestamp with time zone default now() not null,
  rolled_back boolean default false not null,
  removed_at timestamp with time zone,
  constraint run_revision_pkey PRIMARY KEY (dataset, domain, run, revision)
);

create table run_timing (
  dataset text not null,
  domain text default ''::text not null,
  stage smallint not null,
  slot timestamp with time zone not null,
  run timestamp with time zone not null,
  first_seen timestamp with time zone,
  last_seen timestamp with time zone,
  served_at timestamp with time zone,
  due_at timestamp with time zone,
  late_at timestamp with time zone,
  constraint run_timing_pkey PRIMARY KEY (dataset, domain, stage, slot)
);

create table season_day (
  dataset text not null,
  domain text not null,
  date date not null,
  hours integer not null,
  wanted integer not null,
  slab_key text not null,
  built_at timestamp with time zone default clock_timestamp() not null,
  cover text default ''::text not null,
  observed integer default 0 not null,
  superseded text[] default '{}'::text[] not null,
  constraint season_day_pkey PRIMARY KEY (dataset, domain, date)
);

create table season_hour (
  dataset text not null,
  domain text not null,
  hour timestamp with time zone not null,
  slab_key text not null,
  kept_at timestamp with time zone default clock_timestamp() not null,
  cover text default ''::text not null,
  constraint season_hour_pkey PRIMARY KEY (dataset, domain, hour)
);

create table season_month (
  dataset text not null,
  domain text not null,
  month date not null,
  hours integer not null,
  days integer not null,
  manifest_key text not null,
  superseded text,
  published_at timestamp with time zone default clock_timestamp() not null,
  cover text default ''::text not null,
  observed integer default 0 not null,
  analysis date[] default '{}'::date[] not null,
  constraint season_month_pkey PRIMARY KEY (dataset, domain, month)
);

create table second_source (
  dataset text not null,
  source text not null,
  reason text not null,
  since timestamp with time zone default now() not null,
  until timestamp with time zone not null,
  constraint second_source_pkey PRIMARY KEY (dataset)
);

create table served_state (
  source text not null,
  since timestamp with time zone not null,
  snapshot pg_snapshot not null,
  clock_lead_ms integer default 0 not null,
  unread_since timestamp with time zone,
  constraint served_state_pkey PRIMARY KEY (source, since)
);

create table station (
  id text not null,
  iata text,
  faa text,
  name text not null,
  state text,
  country text,
  place geometry(Point,4326),
  elevation_m real,
  metar boolean not null,
  version bigint not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint station_pkey PRIMARY KEY (id)
);

create table text_change (
  id bigint not null,
  item text not null,
  part integer not null,
  payload jsonb not null,
  at timestamp with time zone not null,
  constraint text_change_pkey PRIMARY KEY (id)
);

create table text_item (
  id text not null,
  list text not null,
  office text not null,
  issued_at timestamp with time zone not null,
  outcome text not null,
  reason text,
  detail text,
  tries integer default 1 not null,
  tried_at timestamp with time zone default clock_timestamp() not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint text_item_pkey PRIMARY KEY (id),
  constraint text_item_outcome_check CHECK ((outcome = ANY (ARRAY['read'::text, 'ignored'::text, 'rejected'::text])))
);

create table text_product (
  item text not null,
  part integer not null,
  kind text not null,
  awips text not null,
  office text not null,
  wfo text,
  subject text not null,
  wmo_at timestamp with time zone not null,
  bbb_rank integer not null,
  issued_at timestamp with time zone not null,
  current_until timestamp with time zone not null,
  expires_at timestamp with time zone,
  record jsonb not null,
  attention text[] default '{}'::text[] not null,
  area geometry(Polygon,4326),
  newest boolean not null,
  ended boolean default false not null,
  version bigint not null,
  fetched_at timestamp with time zone default clock_timestamp() not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint text_product_pkey PRIMARY KEY (item, part),
  constraint text_product_item_fkey FOREIGN KEY (item) REFERENCES text_item(id) ON DELETE CASCADE,
  constraint text_product_kind_check CHECK ((kind = ANY (ARRAY['afd'::text, 'hwo'::text, 'now'::text, 'hls'::text, 'mcd'::text, 'mpd'::text, 'pmd'::text, 'swo'::text])))
);

create table upstream_check (
  name text not null,
  state text not null,
  detail text not null,
  checked_at timestamp with time zone not null,
  constraint upstream_check_pkey PRIMARY KEY (name),
  constraint upstream_check_state_check CHECK ((state = ANY (ARRAY['passed'::text, 'warning'::text, 'failed'::text])))
);

create table upstream_check_run (
  only_row boolean default true not null,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  failure text,
  constraint upstream_check_run_pkey PRIMARY KEY (only_row),
  constraint upstream_check_run_only_row_check CHECK (only_row)
);

create table usage_day (
  subject text not null,
  day date not null,
  calls bigint not null,
  constraint usage_day_pkey PRIMARY KEY (subject, day),
  constraint usage_day_calls_check CHECK ((calls >= 0))
);

create table verification (
  area text not null,
  kind text not null,
  variable text not null,
  day date not null,
  layout smallint not null,
  sums real[] not null,
  constraint verification_pkey PRIMARY KEY (kind, area, variable, day),
  constraint verification_kind_check CHECK ((kind = ANY (ARRAY['station'::text, 'state'::text, 'office'::text, 'all'::text])))
);

create table verification_part (
  kind text not null,
  variable text not null,
  day date not null,
  part smallint not null,
  layout smallint not null,
  areas text[] not null,
  ends integer[] not null,
  sums bytea not null,
  constraint verification_part_pkey PRIMARY KEY (kind, variable, day, part),
  constraint verification_part_kind_check CHECK ((kind = ANY (ARRAY['station'::text, 'state'::text, 'office'::text, 'all'::text])))
);

create table verified_day (
  day date not null,
  pairs bigint not null,
  stations integer not null,
  verified_at timestamp with time zone default clock_timestamp() not null,
  constraint verified_day_pkey PRIMARY KEY (day)
);

create table verified_station (
  id text not null,
  name text not null,
  place geometry(Point,4326) not null,
  state text not null,
  office text,
  domain text not null,
  timezone text not null,
  hours integer default 0 not null,
  wet_hours integer default 0 not null,
  seen date not null,
  constraint verified_station_pkey PRIMARY KEY (id)
);

create table webhook (
  id text not null,
  key_prefix text not null,
  url text not null,
  events text[] not null,
  filter jsonb default '{}'::jsonb not null,
  description text default ''::text not null,
  secret text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  disabled_at timestamp with time zone,
  waiting integer default 0 not null,
  failures integer default 0 not null,
  failing_since timestamp with time zone,
  next_at timestamp with time zone,
  constraint webhook_pkey PRIMARY KEY (id),
  constraint webhook_key_prefix_fkey FOREIGN KEY (key_prefix) REFERENCES api_key(prefix)
);

create table webhook_cursor (
  source text not null,
  position bigint not null,
  constraint webhook_cursor_pkey PRIMARY KEY (source)
);

create table webhook_delivery (
  id text not null,
  webhook_id text not null,
  seq bigint generated always as identity not null,
  subject text not null,
  type text not null,
  source text not null,
  source_id bigint not null,
  body text not null,
  state text default 'pending'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default clock_timestamp() not null,
  leased_until timestamp with time zone,
  status integer,
  error text,
  created_at timestamp with time zone default clock_timestamp() not null,
  ended_at timestamp with time zone,
  head boolean default false not null,
  constraint webhook_delivery_pkey PRIMARY KEY (id),
  constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text]))),
  constraint webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE,
  constraint webhook_delivery_webhook_id_source_source_id_key UNIQUE (webhook_id, source, source_id)
);

create table zone (
  kind text not null,
  code text not null,
  version text,
  etag text,
  tried_at timestamp with time zone,
  failure text,
  changed bigint default 0 not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint zone_pkey PRIMARY KEY (kind, code)
);

create table zone_shape (
  kind text not null,
  code text not null,
  version text not null,
  name text default ''::text not null,
  shape geometry(MultiPolygon,4326) not null,
  cells text[] not null,
  effective_at timestamp with time zone,
  fetched_at timestamp with time zone default clock_timestamp() not null,
  written_xid xid8 default pg_current_xact_id() not null,
  constraint zone_shape_pkey PRIMARY KEY (kind, code, version),
  constraint zone_shape_kind_check CHECK ((kind = ANY (ARRAY['forecast'::text, 'county'::text, 'fire'::text])))
);

CREATE INDEX alert_cells ON public.alert USING gin (cells);

CREATE INDEX alert_change_at ON public.alert_change USING btree (at);

CREATE INDEX alert_expiration ON public.alert USING btree (expiration) WHERE (shown IS NOT NULL);

CREATE INDEX alert_version ON public.alert USING btree (version);

CREATE INDEX alert_zone_code ON public.alert_zone USING btree (kind, code);

CREATE INDEX api_key_account ON public.api_key USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX api_key_changed ON public.api_key USING btree (changed_at);

CREATE INDEX api_key_ticket ON public.api_key USING btree (ticket) WHERE (ticket IS NOT NULL);

CREATE INDEX climate_record_date ON public.climate_record USING btree (date DESC, issued_at DESC, text_id, ordinal);

CREATE INDEX climate_record_issued ON public.climate_record USING btree (issued_at);

CREATE INDEX climate_record_office ON public.climate_record USING btree (office, date);

CREATE INDEX climate_record_station ON public.climate_record USING btree (station, event, date);

CREATE INDEX climate_report_date ON public.climate_report USING btree (date DESC, station, name);

CREATE INDEX climate_report_issued ON public.climate_report USING btree (issued_at);

CREATE INDEX climate_report_office ON public.climate_report USING btree (office, date);

CREATE INDEX climate_text_issued ON public.climate_text USING btree (kind, issued_at);

CREATE INDEX idempotency_created ON public.idempotency USING btree (created_at);

CREATE INDEX monitor_hour_hour ON public.monitor_hour USING btree (hour);

CREATE INDEX nowcast_day_day ON public.nowcast_day USING btree (day);

CREATE INDEX nowcast_probability_day_day ON public.nowcast_probability_day USING btree (day);

CREATE INDEX nowcast_score_valid ON public.nowcast_score USING btree (valid);

CREATE INDEX observation_place ON public.observation USING gist (place);

CREATE INDEX observation_time ON public.observation USING btree (observed_at);

CREATE INDEX observation_version ON public.observation USING btree (version);

CREATE INDEX oidc_record_expiry ON public.oidc_record USING btree (expires_at);

CREATE INDEX oidc_record_grant ON public.oidc_record USING btree (grant_id) WHERE (grant_id IS NOT NULL);

CREATE INDEX oidc_record_uid ON public.oidc_record USING btree (uid) WHERE (uid IS NOT NULL);

CREATE INDEX oidc_record_user_code ON public.oidc_record USING btree (user_code) WHERE (user_code IS NOT NULL);

CREATE INDEX outbox_sent ON public.outbox USING btree (sent_at) WHERE (sent_at IS NOT NULL);

CREATE INDEX outbox_unsent ON public.outbox USING btree (id) WHERE (sent_at IS NULL);

CREATE INDEX outlook_area ON public.outlook USING gist (area);

CREATE INDEX payment_end ON public.payment USING btree (valid_until);

CREATE INDEX quarantine_by_time ON public.quarantine USING btree (last_at);

CREATE INDEX run_by_age ON public.run USING btree (dataset, run DESC);

CREATE INDEX run_rejected ON public.run USING btree (ended_at) WHERE (state = 'rejected'::text);

CREATE INDEX run_revision_stored ON public.run_revision USING btree (dataset, replaced_at) WHERE (removed_at IS NULL);

CREATE INDEX run_timing_by_slot ON public.run_timing USING btree (slot);

CREATE INDEX run_timing_late ON public.run_timing USING btree (late_at) WHERE (late_at IS NOT NULL);

CREATE INDEX text_change_at ON public.text_change USING btree (at);

CREATE INDEX text_item_list ON public.text_item USING btree (list, issued_at);

CREATE INDEX text_item_rejected ON public.text_item USING btree (issued_at DESC) WHERE (outcome = 'rejected'::text);

CREATE INDEX text_product_area ON public.text_product USING gist (area) WHERE (area IS NOT NULL);

CREATE INDEX text_product_end ON public.text_product USING btree (current_until) WHERE (newest AND (NOT ended));

CREATE INDEX text_product_kind ON public.text_product USING btree (kind, wfo, issued_at);

CREATE UNIQUE INDEX text_product_newest ON public.text_product USING btree (subject) WHERE newest;

CREATE INDEX text_product_subject ON public.text_product USING btree (subject, wmo_at);

CREATE INDEX text_product_version ON public.text_product USING btree (version);

CREATE INDEX usage_day_day ON public.usage_day USING btree (day);

CREATE INDEX verification_day ON public.verification USING btree (day);

CREATE INDEX verification_part_day ON public.verification_part USING btree (day);

CREATE INDEX verified_station_place ON public.verified_station USING gist (place);

CREATE INDEX webhook_delivery_age ON public.webhook_delivery USING btree (webhook_id, created_at) WHERE (state = 'pending'::text);

CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (webhook_id, next_at) WHERE (head AND (state = 'pending'::text));

CREATE INDEX webhook_delivery_ended ON public.webhook_delivery USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX webhook_delivery_head ON public.webhook_delivery USING btree (webhook_id, subject) WHERE (head AND (state = 'pending'::text));

CREATE INDEX webhook_delivery_leased ON public.webhook_delivery USING btree (webhook_id) WHERE (leased_until IS NOT NULL);

CREATE INDEX webhook_delivery_list ON public.webhook_delivery USING btree (webhook_id, seq);

CREATE INDEX webhook_delivery_pending ON public.webhook_delivery USING btree (webhook_id, subject, seq) WHERE (state = 'pending'::text);

CREATE INDEX webhook_key ON public.webhook USING btree (key_prefix);

CREATE INDEX zone_changed ON public.zone USING btree (changed);

CREATE INDEX zone_shape_cells ON public.zone_shape USING gin (cells);

CREATE OR REPLACE FUNCTION public.begin_incarnation()
 RETURNS text
 LANGUAGE sql
AS $function$
  insert into incarnation (id, first, history)
  select random.id, random.id, server_history() from (select left(md5(gen_random_uuid()::text), 8) as id) random
  on conflict (only_row) do update set id = excluded.id, history = excluded.history, since = excluded.since
  returning id
$function$
;

CREATE OR REPLACE FUNCTION public.begin_versions()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  past text := current_schema() || '_past';
  name text;
begin
  for name in select tablename from pg_tables where schemaname = past and tablename like 'ended\_%' loop
    execute format('truncate %I.%I', past, name);
    execute format('update %I set written_xid = pg_current_xact_id()', substr(name, 7));
  end loop;
  delete from served_state;
end $function$
;

CREATE OR REPLACE FUNCTION public.event_incarnation()
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  stored incarnation%rowtype;
  history text := server_history();
begin
  select * into stored from incarnation;
  if history is null or stored.history is null or history = stored.history then return coalesce(stored.id, '00000000'); end if;
  return left(md5(stored.id || ' ' || history), 8);
end $function$
;

CREATE OR REPLACE FUNCTION public.forget_versions(floor xid8, most bigint)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  past text := current_schema() || '_past';
  name text;
  part bigint;
  total bigint := 0;
begin
  for name in select tablename from pg_tables where schemaname = past and tablename like 'ended\_%' loop
    exit when total >= most;
    execute format(
      'delete from %1$I.%2$I where ctid = any(array(select ctid from %1$I.%2$I where replaced_xid < $1 limit $2))', past, name)
      using floor, most - total;
    get diagnostics part = row_count;
    total := total + part;
  end loop;
  return total;
end $function$
;

CREATE OR REPLACE FUNCTION public.forget_versions(floor xid8)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  past text := current_schema() || '_past';
  name text;
  part bigint;
  total bigint := 0;
begin
  for name in select tablename from pg_tables where schemaname = past and tablename like 'ended\_%' loop
    execute format('delete from %I.%I where replaced_xid < $1', past, name) using floor;
    get diagnostics part = row_count;
    total := total + part;
  end loop;
  return total;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_versions(versioned text, VARIADIC ignored text[] DEFAULT '{}'::text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  here text := current_schema();
  past text := current_schema() || '_past';
  before text;
  after text;
begin
  execute format('alter table %I.%I add column if not exists written_xid xid8 not null default pg_current_xact_id()', here, versioned);
  execute format('drop table if exists %I.%I cascade', past, 'ended_' || versioned);
  execute format('create table %I.%I (like %I.%I, replaced_xid xid8 not null default pg_current_xact_id())',
    past, 'ended_' || versioned, here, versioned);
  execute format('create index on %I.%I (replaced_xid)', past, 'ended_' || versioned);
  perform view_versions(versioned);
  select string_agg('old.' || quote_ident(attname), ', ' order by attnum),
         string_agg('new.' || quote_ident(attname), ', ' order by attnum)
    into before, after
    from pg_attribute where attrelid = format('%I.%I', here, versioned)::regclass and attnum > 0 and not attisdropped
      and attname <> 'written_xid' and not attname = any(ignored);
  -- A change of ignored columns alone makes no version. A row written twice in a transaction was never seen in between.
  execute format($f$create or replace function %I.%I() returns trigger language plpgsql as $g$
    begin
      if tg_op = 'UPDATE' and (new.written_xid <> old.written_xid or (%s) is not distinct from (%s)) then return new; end if;
      if old.written_xid <> pg_current_xact_id() then insert into %I.%I values (old.*); end if;
      if tg_op = 'DELETE' then return old; end if;
      new.written_xid := pg_current_xact_id();
      return new;
    end $g$ $f$, past, 'keep_' || versioned, before, after, past, 'ended_' || versioned);
  execute format('create or replace trigger keep_version before update or delete on %I.%I for each row execute function %I.%I()',
    here, versioned, past, 'keep_' || versioned);
  delete from served_state;
end $function$
;

CREATE OR REPLACE FUNCTION public.pointer_forward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.run, new.stage, new.revision) < (old.run, old.stage, old.revision)
    and not (new.run = old.run and current_setting('hexcast.rollback', true) is not distinct from 'on') then
    raise exception 'pointer of %/%: wanted a run from % on, got %', old.dataset, old.domain, old.run, new.run
      using errcode = 'HX001';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.server_history()
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if pg_is_in_recovery() then return null; end if;
  return (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when others then
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.version_range(written xid8, replaced xid8)
 RETURNS int8range
 LANGUAGE sql
 IMMUTABLE
RETURN int8range(LEAST(((written)::text)::bigint, ((replaced)::text)::bigint), GREATEST(((written)::text)::bigint, ((replaced)::text)::bigint), '[]'::text)
;

CREATE OR REPLACE FUNCTION public.view_versions(versioned text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  here text := current_schema();
  past text := current_schema() || '_past';
  columns text;
  former text;
begin
  for former in
    select indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = format('%I.%I', past, 'ended_' || versioned)::regclass and a.amname = 'gist'
  loop
    execute 'drop index ' || former;
  end loop;
  execute format('create index on %1$I.%3$I using gist (%2$I.version_range(written_xid, replaced_xid))', past, here, 'ended_' || versioned);
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
    from pg_attribute where attrelid = format('%I.%I', here, versioned)::regclass and attnum > 0 and not attisdropped;
  execute format($f$create or replace view %1$I.%2$I as
    select %3$s from %4$I.%2$I where pg_visible_in_snapshot(written_xid, (select current_setting('hexcast.snapshot')::pg_snapshot))
    union all
    select %3$s from %1$I.%5$I
    where %4$I.version_range(written_xid, replaced_xid) && (
        select int8range(pg_snapshot_xmin(s)::text::int8, pg_snapshot_xmax(s)::text::int8, '[]')
        from (select current_setting('hexcast.snapshot')::pg_snapshot) as setting(s))
      and pg_visible_in_snapshot(written_xid, (select current_setting('hexcast.snapshot')::pg_snapshot))
      and not pg_visible_in_snapshot(replaced_xid, (select current_setting('hexcast.snapshot')::pg_snapshot))$f$,
    past, versioned, columns, here, 'ended_' || versioned);
end $function$
;

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.air_quality_forecast FOR EACH ROW EXECUTE FUNCTION public_past.keep_air_quality_forecast();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.alert FOR EACH ROW EXECUTE FUNCTION public_past.keep_alert();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.alert_zone FOR EACH ROW EXECUTE FUNCTION public_past.keep_alert_zone();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.feed_state FOR EACH ROW EXECUTE FUNCTION public_past.keep_feed_state();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.monitor_hour FOR EACH ROW EXECUTE FUNCTION public_past.keep_monitor_hour();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.observation FOR EACH ROW EXECUTE FUNCTION public_past.keep_observation();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.origin FOR EACH ROW EXECUTE FUNCTION public_past.keep_origin();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.outlook FOR EACH ROW EXECUTE FUNCTION public_past.keep_outlook();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.outlook_product FOR EACH ROW EXECUTE FUNCTION public_past.keep_outlook_product();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.pointer FOR EACH ROW EXECUTE FUNCTION public_past.keep_pointer();

CREATE TRIGGER pointer_forward BEFORE UPDATE ON public.pointer FOR EACH ROW EXECUTE FUNCTION pointer_forward();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.run FOR EACH ROW EXECUTE FUNCTION public_past.keep_run();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.station FOR EACH ROW EXECUTE FUNCTION public_past.keep_station();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.text_item FOR EACH ROW EXECUTE FUNCTION public_past.keep_text_item();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.text_product FOR EACH ROW EXECUTE FUNCTION public_past.keep_text_product();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.zone FOR EACH ROW EXECUTE FUNCTION public_past.keep_zone();

CREATE TRIGGER keep_version BEFORE DELETE OR UPDATE ON public.zone_shape FOR EACH ROW EXECUTE FUNCTION public_past.keep_zone_shape();
