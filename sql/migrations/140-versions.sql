-- Earlier versions of the rows that answers are made from, so that an answer can be made again as it was given.
--
-- A version is visible in a snapshot of the database if the transaction that wrote it is, and the one that replaced it is not.
-- Snapshots, not clocks: what a reader saw is exact, whatever was in work when it read.
-- The views of the schema <schema>_past have the names and columns of the tables: with that schema first in the search path, the
-- statements of the live sources read the past unchanged. Its settings: hexcast.snapshot (pg_snapshot) and hexcast.clock (timestamptz).

-- From an instant of the clock of the API on, a live source serves what the database contained in a snapshot.
create table served_state (
  source        text not null,
  since         timestamptz not null,
  snapshot      pg_snapshot not null,
  -- lead of the clock of the database over that of the API, as the source corrects for it
  clock_lead_ms integer not null default 0,
  -- the source could not be read from then to `since`
  unread_since  timestamptz,
  primary key (source, since)
);

do $$
declare
  past text := current_schema() || '_past';
begin
  execute format('create schema if not exists %I', past);
  execute format($f$create or replace function %I.clock_timestamp() returns timestamptz language sql stable
    as $g$ select current_setting('hexcast.clock')::timestamptz $g$ $f$, past);
  execute format($f$create or replace function %I.now() returns timestamptz language sql stable
    as $g$ select current_setting('hexcast.clock')::timestamptz $g$ $f$, past);
end $$;

-- Keeps the versions of a table from now on. Call it again after the columns of the table were changed: its history begins anew.
create function keep_versions(versioned text, variadic ignored text[] default '{}') returns void language plpgsql as $fn$
declare
  here text := current_schema();
  past text := current_schema() || '_past';
  columns text;
  before text;
  after text;
begin
  execute format('alter table %I.%I add column if not exists written_xid xid8 not null default pg_current_xact_id()', here, versioned);
  execute format('drop table if exists %I.%I cascade', past, 'ended_' || versioned);
  execute format('create table %I.%I (like %I.%I, replaced_xid xid8 not null default pg_current_xact_id())',
    past, 'ended_' || versioned, here, versioned);
  execute format($f$create index on %I.%I using gist (int8range(written_xid::text::int8, replaced_xid::text::int8, '[]'))$f$,
    past, 'ended_' || versioned);
  execute format('create index on %I.%I (replaced_xid)', past, 'ended_' || versioned);
  select string_agg(quote_ident(attname), ', ' order by attnum),
         string_agg('old.' || quote_ident(attname), ', ' order by attnum) filter (where attname <> 'written_xid' and not attname = any(ignored)),
         string_agg('new.' || quote_ident(attname), ', ' order by attnum) filter (where attname <> 'written_xid' and not attname = any(ignored))
    into columns, before, after
    from pg_attribute where attrelid = format('%I.%I', here, versioned)::regclass and attnum > 0 and not attisdropped;
  execute format($f$create or replace view %1$I.%2$I as
    select %3$s from %4$I.%2$I where pg_visible_in_snapshot(written_xid, (select current_setting('hexcast.snapshot')::pg_snapshot))
    union all
    select %3$s from %1$I.%5$I
    where int8range(written_xid::text::int8, replaced_xid::text::int8, '[]') && (
        select int8range(pg_snapshot_xmin(s)::text::int8, pg_snapshot_xmax(s)::text::int8, '[]')
        from (select current_setting('hexcast.snapshot')::pg_snapshot) as setting(s))
      and pg_visible_in_snapshot(written_xid, (select current_setting('hexcast.snapshot')::pg_snapshot))
      and not pg_visible_in_snapshot(replaced_xid, (select current_setting('hexcast.snapshot')::pg_snapshot))$f$,
    past, versioned, columns, here, 'ended_' || versioned);
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
end $fn$;

select keep_versions('pointer');
select keep_versions('run', 'reason', 'wanted', 'got', 'missing', 'claimed_at', 'ended_at');
select keep_versions('feed_state', 'etag', 'last_modified', 'digest', 'looked_at', 'failed_at', 'rejected');
select keep_versions('alert', 'absences', 'track');
select keep_versions('alert_zone');
select keep_versions('zone', 'etag', 'tried_at', 'failure');
select keep_versions('zone_shape', 'fetched_at');
select keep_versions('outlook_product', 'fetched_at');
select keep_versions('outlook');
select keep_versions('station', 'version');
select keep_versions('observation', 'received_at', 'version');
select keep_versions('monitor_hour');
select keep_versions('air_quality_forecast');
select keep_versions('text_item', 'tries', 'tried_at', 'detail');
select keep_versions('text_product', 'fetched_at', 'ended');
select keep_versions('origin');

-- Removes versions that no snapshot from `floor` on can see. Returns the number of rows.
create function forget_versions(floor xid8) returns bigint language plpgsql as $fn$
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
end $fn$;

-- Begins all histories anew: transaction numbers start again in a database that was restored from a dump.
create function begin_versions() returns void language plpgsql as $fn$
declare
  past text := current_schema() || '_past';
  name text;
begin
  for name in select tablename from pg_tables where schemaname = past and tablename like 'ended\_%' loop
    execute format('truncate %I.%I', past, name);
    execute format('update %I set written_xid = pg_current_xact_id()', substr(name, 7));
  end loop;
  delete from served_state;
end $fn$;
