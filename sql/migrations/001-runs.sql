-- Model runs, the pointers that readers follow, and what is still to be said to the world.

create extension if not exists postgis;

create table run (
  dataset      text not null,
  run          timestamptz not null,
  -- conus, alaska, hawaii; '' where a dataset is one piece
  domain       text not null default '',
  state        text not null check (state in ('claimed', 'published', 'failed', 'gone', 'retired')),
  reason       text,
  wanted       integer not null default 0,
  got          integer not null default 0,
  missing      integer not null default 0,
  -- lead hour up to which readers see it
  published_to integer,
  manifest_key text,
  manifest     jsonb,
  claimed_at   timestamptz not null default now(),
  published_at timestamptz,
  ended_at     timestamptz,
  primary key (dataset, domain, run)
);
create index run_by_age on run (dataset, run desc);

create table pointer (
  dataset      text not null,
  domain       text not null default '',
  run          timestamptz not null,
  -- counts the stages of one run: readers may learn of an extension
  stage        integer not null default 0,
  manifest_key text not null,
  published_at timestamptz not null default now(),
  primary key (dataset, domain)
);

-- Only forward: whatever the writer believes, an older run never replaces a newer one.
create function pointer_forward() returns trigger language plpgsql as $$
begin
  if (new.run, new.stage) < (old.run, old.stage) then
    raise exception 'pointer of %/%: wanted a run from % on, got %', old.dataset, old.domain, old.run, new.run
      using errcode = 'HX001';
  end if;
  return new;
end $$;
create trigger pointer_forward before update on pointer for each row execute function pointer_forward();

create table outbox (
  id         bigint generated always as identity primary key,
  topic      text not null,
  key        text not null,
  payload    jsonb not null,
  created_at timestamptz not null default now(),
  sent_at    timestamptz
);
create index outbox_unsent on outbox (id) where sent_at is null;
create index outbox_sent on outbox (sent_at) where sent_at is not null;
