-- Forecasts as they were served, compared with the reports of stations that came.

-- Stations whose reports verify forecasts.
create table verified_station (
  id          text primary key,
  name        text not null,
  place       geometry(Point, 4326) not null,
  state       text not null,
  -- forecast office
  office      text,
  domain      text not null,
  timezone    text not null,
  -- Hours with a gauge that were compared so far, and those with 0.01 inch or more: the climatology of its precipitation.
  hours       integer not null default 0,
  wet_hours   integer not null default 0,
  -- Last day on which it had reports enough.
  seen        date not null
);
create index verified_station_place on verified_station using gist (place);

-- Hours at which the served forecasts were kept until they verify.
create table issued_forecast (
  issued   timestamptz primary key,
  stations integer not null,
  bytes    integer not null
);

-- Days that were compared.
create table verified_day (
  day         date primary key,
  pairs       bigint not null,
  stations    integer not null,
  verified_at timestamptz not null default clock_timestamp()
);

-- Counts and sums of one day: they add up over days, areas and leads.
create table verification (
  -- Id of a station, postal code of a state, forecast office, or US.
  area     text not null,
  kind     text not null check (kind in ('station', 'state', 'office', 'all')),
  variable text not null,
  day      date not null,
  -- Version of the order of the sums.
  layout   smallint not null,
  -- Source and lead × statistics, as in ingest/domain/verification/statistics.ts.
  sums     real[] not null,
  primary key (kind, area, variable, day)
) with (toast_tuple_target = 256);
create index verification_day on verification (day);
