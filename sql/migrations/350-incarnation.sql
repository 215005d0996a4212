-- Numbers of events are unique within an incarnation of the database. A database that was restored to an earlier point assigns numbers
-- again that it had assigned after that point, so it is another incarnation.
create table incarnation (
  only_row boolean primary key default true check (only_row),
  id       text not null check (id ~ '^[0-9a-f]{8}$'),
  -- incarnation in which the database was created
  first    text not null,
  -- see server_history(), when `id` was stored; null if the server does not tell
  history  text,
  since    timestamptz not null default clock_timestamp()
);

-- Identifies the server and its timeline, which rises after a recovery to a point in time and when a standby is promoted.
-- Null on a standby, and where the server does not tell: events must not depend on it.
create function server_history() returns text language plpgsql stable as $fn$
begin
  if pg_is_in_recovery() then return null; end if;
  return (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when others then
  return null;
end $fn$;

-- The stored id, or an id of its own for each later history of the server.
create function event_incarnation() returns text language plpgsql stable as $fn$
declare
  stored incarnation%rowtype;
  history text := server_history();
begin
  select * into stored from incarnation;
  if history is null or stored.history is null or history = stored.history then return coalesce(stored.id, '00000000'); end if;
  return left(md5(stored.id || ' ' || history), 8);
end $fn$;

-- Begins an incarnation, and returns its id.
create function begin_incarnation() returns text language sql volatile as $fn$
  insert into incarnation (id, first, history)
  select random.id, random.id, server_history() from (select left(md5(gen_random_uuid()::text), 8) as id) random
  on conflict (only_row) do update set id = excluded.id, history = excluded.history, since = excluded.since
  returning id
$fn$;

select begin_incarnation();
