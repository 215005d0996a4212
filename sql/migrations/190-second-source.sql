-- Second sources in use: a feed or bucket of which the first source fails. A row counts until its time has passed.
create table second_source (
  dataset text primary key,
  -- address without path
  source  text not null,
  reason  text not null,
  since   timestamptz not null default now(),
  until   timestamptz not null
);
