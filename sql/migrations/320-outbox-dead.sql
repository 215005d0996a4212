-- Events that could not be published however often it was tried, and why. They no longer hold up the events after them.
create table outbox_dead (
  id         bigint primary key,
  topic      text not null,
  key        text not null,
  payload    jsonb not null,
  trace      text,
  created_at timestamptz not null,
  failed_at  timestamptz not null default now(),
  reason     text not null
);
