-- When runs appeared upstream and when they were served, and how long each dataset was fresh: both for 90 days.

create table run_timing (
  dataset    text not null,
  -- '' where a dataset is one piece
  domain     text not null default '',
  -- lead group of a model run, 0 of frames and feeds
  stage      smallint not null,
  -- the run itself; of frames and feeds the hour, of which the first one is stored
  slot       timestamptz not null,
  run        timestamptz not null,
  -- Last-Modified of the first and the last file of the lead group, null where upstream does not give it
  first_seen timestamptz,
  last_seen  timestamptz,
  -- null: it is late and was not served yet
  served_at  timestamptz,
  -- when it was due, and when the event about its lateness was stored; null for a run in time
  due_at     timestamptz,
  late_at    timestamptz,
  primary key (dataset, domain, stage, slot)
);
create index run_timing_by_slot on run_timing (slot);
create index run_timing_late on run_timing (late_at) where late_at is not null;

-- Minutes in which a dataset was looked at, and of these the ones in which it was not stale.
create table freshness_day (
  dataset  text not null,
  domain   text not null default '',
  day      date not null,
  checked  integer not null,
  fresh    integer not null,
  first_at timestamptz not null,
  last_at  timestamptz not null,
  primary key (dataset, domain, day)
);

-- Last-Modified of the newest upstream file of what is published; null where upstream does not give it.
alter table run add column upstream_at timestamptz;
