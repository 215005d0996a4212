-- A transaction that began first may write last: it waits for a row that a later one changes, and replaces a version whose number is
-- greater than its own. The range of such a version could not be made, and the transaction failed.

-- All transactions from the lower number of a version to the greater one. A snapshot in which a version is visible overlaps it.
create function version_range(written xid8, replaced xid8) returns int8range language sql immutable
  return int8range(least(written::text::int8, replaced::text::int8), greatest(written::text::int8, replaced::text::int8), '[]');

-- Finds what was replaced by range, in a view of the past with the columns that the table has now.
create function view_versions(versioned text) returns void language plpgsql as $fn$
declare
  here text := current_schema();
  past text := current_schema() || '_past';
  columns text;
  former text;
begin
  for former in
    select indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = format('%I.%I', past, 'ended_' || versioned)::regclass and a.amname = 'gist'
  loop
    execute 'drop index ' || former;
  end loop;
  execute format('create index on %1$I.%3$I using gist (%2$I.version_range(written_xid, replaced_xid))', past, here, 'ended_' || versioned);
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
    from pg_attribute where attrelid = format('%I.%I', here, versioned)::regclass and attnum > 0 and not attisdropped;
  execute format($f$create or replace view %1$I.%2$I as
    select %3$s from %4$I.%2$I where pg_visible_in_snapshot(written_xid, (select current_setting('hexcast.snapshot')::pg_snapshot))
    union all
    select %3$s from %1$I.%5$I
    where %4$I.version_range(written_xid, replaced_xid) && (
        select int8range(pg_snapshot_xmin(s)::text::int8, pg_snapshot_xmax(s)::text::int8, '[]')
        from (select current_setting('hexcast.snapshot')::pg_snapshot) as setting(s))
      and pg_visible_in_snapshot(written_xid, (select current_setting('hexcast.snapshot')::pg_snapshot))
      and not pg_visible_in_snapshot(replaced_xid, (select current_setting('hexcast.snapshot')::pg_snapshot))$f$,
    past, versioned, columns, here, 'ended_' || versioned);
end $fn$;

create or replace function keep_versions(versioned text, variadic ignored text[] default '{}') returns void language plpgsql as $fn$
declare
  here text := current_schema();
  past text := current_schema() || '_past';
  before text;
  after text;
begin
  execute format('alter table %I.%I add column if not exists written_xid xid8 not null default pg_current_xact_id()', here, versioned);
  execute format('drop table if exists %I.%I cascade', past, 'ended_' || versioned);
  execute format('create table %I.%I (like %I.%I, replaced_xid xid8 not null default pg_current_xact_id())',
    past, 'ended_' || versioned, here, versioned);
  execute format('create index on %I.%I (replaced_xid)', past, 'ended_' || versioned);
  perform view_versions(versioned);
  select string_agg('old.' || quote_ident(attname), ', ' order by attnum),
         string_agg('new.' || quote_ident(attname), ', ' order by attnum)
    into before, after
    from pg_attribute where attrelid = format('%I.%I', here, versioned)::regclass and attnum > 0 and not attisdropped
      and attname <> 'written_xid' and not attname = any(ignored);
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

-- What is kept already stays.
do $$
declare
  name text;
begin
  for name in select substr(tablename, 7) from pg_tables where schemaname = current_schema() || '_past' and tablename like 'ended\_%' loop
    perform view_versions(name);
  end loop;
end $$;
