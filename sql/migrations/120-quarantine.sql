-- What upstream delivered and is not published: one row a variable of a run and reason, with the hours that it has lost.

create table quarantine (
  id       bigint generated always as identity primary key,
  dataset  text not null,
  domain   text not null default '',
  run      timestamptz not null,
  -- '' for a whole file
  variable text not null default '',
  reason   text not null,
  detail   text not null,
  url      text not null default '',
  leads    smallint[] not null default '{}',
  -- the object with the bytes of the first hour, null where there are none
  object   text,
  bytes    integer not null default 0,
  first_at timestamptz not null default clock_timestamp(),
  last_at  timestamptz not null default clock_timestamp(),
  unique (dataset, domain, run, variable, reason)
);
create index quarantine_by_time on quarantine (last_at);

-- Counts that stay when rows are removed.
create table quarantine_count (
  dataset text not null,
  reason  text not null,
  total   bigint not null default 0,
  primary key (dataset, reason)
);
