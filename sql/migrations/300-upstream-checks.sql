-- The daily check of upstream: when it last ran, and the newest result of each check.
create table upstream_check_run (
  -- The table has one row.
  only_row  boolean primary key default true check (only_row),
  began_at  timestamptz not null,
  ended_at  timestamptz,
  -- Why the check itself ended early; null if it did not.
  failure   text
);
create table upstream_check (
  name       text primary key,
  state      text not null check (state in ('passed', 'warning', 'failed')),
  -- The findings that are not passed, or the first passed finding.
  detail     text not null,
  checked_at timestamptz not null
);

-- Which process exports the figures that the database counts for all processes.
create table metrics_lease (
  name       text primary key,
  holder     text not null,
  expires_at timestamptz not null
);
