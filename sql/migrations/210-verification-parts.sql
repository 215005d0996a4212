-- Sums of verification, packed: a row for each variable and day of up to 400 areas. A row for each area took 501 MB a month.
-- The rows of `verification` are packed by the worker, a day at a time.
create table verification_part (
  kind     text not null check (kind in ('station', 'state', 'office', 'all')),
  variable text not null,
  day      date not null,
  part     smallint not null,
  -- Version of the order of the sums.
  layout   smallint not null,
  -- Ids of stations, postal codes of states, forecast offices, or US.
  areas    text[] not null,
  -- Ends of the pieces of `sums`, one for each source and lead; the format is in ingest/domain/verification/packed-sums.ts.
  ends     integer[] not null,
  sums     bytea not null,
  primary key (kind, variable, day, part)
) with (toast_tuple_target = 256);
-- Compressed already, and read in part.
alter table verification_part alter column sums set storage external;
create index verification_part_day on verification_part (day);
