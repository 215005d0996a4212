-- NWS alerts, the zones they name, what was said of them, and the state of every feed.

-- One row a feed: alerts, and one for each outlook file.
create table feed_state (
  feed          text primary key,
  etag          text,
  last_modified text,
  -- of the last believed body
  digest        text,
  -- upstream's own time of that body
  updated       timestamptz,
  looked_at     timestamptz,
  confirmed_at  timestamptz,
  failed_at     timestamptz,
  -- absent: the last look was good
  failure       text,
  -- the feed lacks everything that is shown; believed when it says so again
  suspicious    boolean not null default false,
  rejected      jsonb not null default '{}',
  -- grows with every change of what the feed gives; readers ask for what is newer
  version       bigint not null default 0,
  -- a new birth tells readers to forget all they know
  born          timestamptz not null default clock_timestamp()
);

create sequence change_version;

-- Every message that may still say something: shown, waiting, ended or ending others.
create table alert (
  id         text primary key,
  -- what decides about its life (ingest/domain/alert.ts, AlertHead)
  head       jsonb not null,
  -- the rest of the message, as answers give it
  record     jsonb not null,
  -- the event that it belongs to
  track      text not null,
  status     text not null,
  sent       timestamptz not null,
  expiration timestamptz not null,
  absences   integer not null default 0,
  -- areas, fingerprint and expiration as last announced; null where it is not shown
  shown      jsonb,
  polygon    geometry(MultiPolygon, 4326),
  -- a part of its areas is cancelled: a point must be in the polygon and in a zone that is left
  clipped    boolean not null default false,
  -- H3 cells of resolution 5 that the polygon touches
  cells      text[] not null default '{}',
  version    bigint not null
);
create index alert_version on alert (version);
create index alert_expiration on alert (expiration) where shown is not null;
create index alert_cells on alert using gin (cells);

-- The zones in which an alert is shown now.
create table alert_zone (
  alert_id text not null references alert (id) on delete cascade,
  kind     text not null check (kind in ('forecast', 'county', 'fire')),
  code     text not null,
  -- a county in place of zones that nobody knows a shape of
  stand_in boolean not null default false,
  primary key (alert_id, kind, code)
);
create index alert_zone_code on alert_zone (kind, code);

-- What was announced, for readers who come back. The number is that of the outbox.
create table alert_change (
  id       bigint primary key,
  alert_id text not null,
  payload  jsonb not null,
  office   text,
  status   text not null,
  at       timestamptz not null
);
create index alert_change_at on alert_change (at);

create table alert_kept_aside (
  feed    text not null,
  reason  text not null,
  id      text not null default '',
  detail  text not null,
  seen_at timestamptz not null default clock_timestamp(),
  times   integer not null default 1,
  primary key (feed, reason, id, detail)
);

-- Shapes of zones with their versions. Older versions stay.
create table zone_shape (
  kind         text not null check (kind in ('forecast', 'county', 'fire')),
  code         text not null,
  -- the day from which the NWS uses the shape, else a digest of it; `packaged`: ours, until the NWS gives its own
  version      text not null,
  name         text not null default '',
  shape        geometry(MultiPolygon, 4326) not null,
  cells        text[] not null,
  effective_at timestamptz,
  fetched_at   timestamptz not null default clock_timestamp(),
  primary key (kind, code, version)
);
create index zone_shape_cells on zone_shape using gin (cells);

-- What is known of each zone that an alert ever named.
create table zone (
  kind      text not null,
  code      text not null,
  -- the shape in use; null: unknown everywhere
  version   text,
  -- of the NWS
  etag      text,
  tried_at  timestamptz,
  -- why the NWS gave none
  failure   text,
  -- grows with every change of the shape in use
  changed   bigint not null default 0,
  primary key (kind, code)
);
create index zone_changed on zone (changed);
