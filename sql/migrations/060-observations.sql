-- METARs with the table of stations, AirNow's monitors and its forecasts by reporting area.

-- Reads in a row that failed; 0 after a good one.
alter table feed_state add column failures integer not null default 0;

create table station (
  -- as in reports: KDEN, K0VG
  id          text primary key,
  iata        text,
  faa         text,
  name        text not null,
  state       text,
  country     text,
  -- null where the table has none
  place       geometry(Point, 4326),
  elevation_m real,
  -- listed as reporting METARs
  metar       boolean not null,
  version     bigint not null
);

create table observation (
  station          text not null,
  observed_at      timestamptz not null,
  -- of the station when it reported
  place            geometry(Point, 4326) not null,
  elevation_m      real,
  report_type      text not null check (report_type in ('METAR', 'SPECI')),
  corrected        boolean not null,
  auto             boolean not null,
  raw              text not null,
  -- degrees Celsius, m/s, m, Pa; null where the report has none
  temperature_c    real,
  dew_point_c      real,
  wind_direction   smallint,
  wind_speed_ms    double precision,
  wind_gust_ms     double precision,
  visibility_m     double precision,
  pressure_pa      double precision,
  -- null: the report has no sky group
  layers           jsonb,
  weather          text[] not null default '{}',
  received_at      timestamptz not null default clock_timestamp(),
  version          bigint not null,
  primary key (station, observed_at)
);
create index observation_place on observation using gist (place);
create index observation_time on observation (observed_at);
create index observation_version on observation (version);

create table monitor_hour (
  -- AQS id
  monitor text not null,
  -- its start
  hour    timestamptz not null,
  name    text not null,
  agency  text not null,
  place   geometry(Point, 4326) not null,
  active  boolean not null,
  -- AQI sub-indexes (NowCast) as published
  pm25    integer,
  ozone   integer,
  pm10    integer,
  primary key (monitor, hour)
);
create index monitor_hour_hour on monitor_hour (hour);

-- The forecasts of the newest reportingarea.dat.
create table air_quality_forecast (
  id         bigint generated always as identity primary key,
  area       text not null,
  state      text not null,
  place      geometry(Point, 4326) not null,
  -- local to the area
  date       date not null,
  pollutant  text not null,
  -- null: a category without a number
  aqi        integer,
  category   text,
  action_day boolean not null,
  issued     date not null
);
