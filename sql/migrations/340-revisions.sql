-- A publication has a revision: a run that is republished after a bug of our own gets the next one, and a rollback returns to the one before.

-- The two tables are versioned. Their versions stay: the column is added to them as well.
create table former_state as select * from served_state;

create function add_revision(versioned text, variadic ignored text[]) returns void language plpgsql as $fn$
declare
  past text := current_schema() || '_past';
  ended text := 'ended_' || versioned;
  columns text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns
    from pg_attribute where attrelid = format('%I.%I', past, ended)::regclass and attnum > 0 and not attisdropped;
  execute format('create table former_versions as select * from %I.%I', past, ended);
  execute format('alter table %I add column revision integer not null default 0', versioned);
  perform keep_versions(versioned, variadic ignored);
  execute format('insert into %I.%I (%s, revision) select %3$s, 0 from former_versions', past, ended, columns);
  drop table former_versions;
end $fn$;

select add_revision('pointer', variadic '{}');
select add_revision('run', 'reason', 'wanted', 'got', 'missing', 'claimed_at', 'ended_at');
drop function add_revision(text, text[]);
insert into served_state select * from former_state;
drop table former_state;

-- Publications of a run that another revision replaced. A rollback returns to the newest one below the revision of the run that was
-- not itself rolled back.
create table run_revision (
  dataset      text not null,
  domain       text not null,
  run          timestamptz not null,
  revision     integer not null,
  stage        integer not null,
  published_to integer,
  manifest_key text not null,
  manifest     jsonb,
  wanted       integer not null,
  got          integer not null,
  missing      integer not null,
  replaced_at  timestamptz not null default now(),
  -- a rollback replaced it: no rollback returns to it
  rolled_back  boolean not null default false,
  -- its objects are removed: no rollback can return to it
  removed_at   timestamptz,
  primary key (dataset, domain, run, revision)
);
create index run_revision_stored on run_revision (dataset, replaced_at) where removed_at is null;

-- Only forward, in the order of run, stage and revision. The verb rollback alone may go back, and says so for its transaction.
create or replace function pointer_forward() returns trigger language plpgsql as $$
begin
  if (new.run, new.stage, new.revision) < (old.run, old.stage, old.revision)
    and not (new.run = old.run and current_setting('hexcast.rollback', true) is not distinct from 'on') then
    raise exception 'pointer of %/%: wanted a run from % on, got %', old.dataset, old.domain, old.run, new.run
      using errcode = 'HX001';
  end if;
  return new;
end $$;
