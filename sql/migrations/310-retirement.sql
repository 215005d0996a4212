-- The steps of retirement: when each was first tried, when it last ended without an error, and why it last failed.
create table retirement (
  step         text primary key,
  first_at     timestamptz not null default now(),
  succeeded_at timestamptz,
  failed_at    timestamptz,
  failure      text
);

create index nowcast_score_valid on nowcast_score (valid);

-- Removes at most `most` of the versions that no snapshot from `floor` on can see. Returns their number.
create function forget_versions(floor xid8, most bigint) returns bigint language plpgsql as $fn$
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
end $fn$;
