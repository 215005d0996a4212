-- Who is called when something changes, and every call that was made or is still to be made.

create table webhook (
  id          text primary key,
  -- the key that made it: revoked or expired, nothing is sent
  key_prefix  text not null references api_key (prefix),
  url         text not null,
  events      text[] not null,
  filter      jsonb not null default '{}',
  description text not null default '',
  -- signs every call, so it is stored as it is
  secret      text not null,
  created_at  timestamptz not null default clock_timestamp(),
  -- the receiver answered 410, or the owner paused it
  disabled_at timestamptz
);
create index webhook_key on webhook (key_prefix);

create table webhook_delivery (
  -- the webhook-id header: the same at every attempt
  id           text primary key,
  webhook_id   text not null references webhook (id) on delete cascade,
  -- order of the calls of one subject
  seq          bigint generated always as identity,
  -- one alert event, one dataset: the next call waits for the one before
  subject      text not null,
  type         text not null,
  -- where it comes from, so that it is stored once: alert_change or outbox, and the id there
  source       text not null,
  source_id    bigint not null,
  body         text not null,
  state        text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  attempts     integer not null default 0,
  next_at      timestamptz not null default clock_timestamp(),
  -- a process is sending it; past that time another one may
  leased_until timestamptz,
  status       integer,
  error        text,
  created_at   timestamptz not null default clock_timestamp(),
  ended_at     timestamptz,
  unique (webhook_id, source, source_id)
);
create index webhook_delivery_pending on webhook_delivery (webhook_id, subject, seq) where state = 'pending';
create index webhook_delivery_list on webhook_delivery (webhook_id, seq);
create index webhook_delivery_ended on webhook_delivery (ended_at) where ended_at is not null;

-- How far each source has been turned into deliveries.
create table webhook_cursor (
  source   text primary key,
  position bigint not null
);
