-- Daily climate reports (CLI) and record event reports (RER), and which texts were read.

-- One row a text of api.weather.gov that was looked at; an id never changes its text.
create table climate_text (
  id         text primary key,
  kind       text not null check (kind in ('CLI', 'RER')),
  -- AWIPS code of the list that named it
  location   text not null,
  office     text not null,
  issued_at  timestamptz not null,
  -- absent: items were read from it
  refused    text,
  read_at    timestamptz not null default clock_timestamp()
);
create index climate_text_issued on climate_text (kind, issued_at);

-- The last issue for each station and date. A text with several stations gives several names under one code.
create table climate_report (
  station   text not null,
  name      text not null,
  date      date not null,
  text_id   text not null references climate_text (id) on delete cascade,
  office    text not null,
  issued_at timestamptz not null,
  -- order among issues: time of the WMO line, then the rank of its BBB group
  wmo_at    timestamptz not null,
  bbb_rank  integer not null,
  report    jsonb not null,
  primary key (station, date, name)
);
create index climate_report_office on climate_report (office, date);
create index climate_report_issued on climate_report (issued_at);

create table climate_record (
  text_id   text not null references climate_text (id) on delete cascade,
  ordinal   integer not null,
  station   text not null,
  event     text not null,
  date      date not null,
  office    text not null,
  issued_at timestamptz not null,
  wmo_at    timestamptz not null,
  bbb_rank  integer not null,
  record    jsonb not null,
  primary key (text_id, ordinal)
);
create index climate_record_station on climate_record (station, event, date);
create index climate_record_office on climate_record (office, date);
create index climate_record_issued on climate_record (issued_at);

-- Address of the mirror that the worker reads from: the interface reads station normals from there, too, when somebody first asks for them.
alter table origin add column mirror text;

-- The season: daily highs and lows of every cell of the analyses. Hours wait here until every local day that holds them is built.
create table season_hour (
  dataset  text not null,
  domain   text not null,
  hour     timestamptz not null,
  slab_key text not null,
  kept_at  timestamptz not null default clock_timestamp(),
  primary key (dataset, domain, hour)
);

-- Highs and lows of one local date, in a slab that the month's tiles are made of.
create table season_day (
  dataset  text not null,
  domain   text not null,
  date     date not null,
  -- of the hours that any zone of the domain has on that date
  hours    integer not null,
  wanted   integer not null,
  slab_key text not null,
  built_at timestamptz not null default clock_timestamp(),
  primary key (dataset, domain, date)
);

-- The tiles of a month, as far as its days are built.
create table season_month (
  dataset      text not null,
  domain       text not null,
  month        date not null,
  -- hours of all its days: more of them replace less
  hours        integer not null,
  days         integer not null,
  manifest_key text not null,
  -- read by answers in work, removed at the next publication
  superseded   text,
  published_at timestamptz not null default clock_timestamp(),
  primary key (dataset, domain, month)
);
