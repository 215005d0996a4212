-- Who may ask, how often, and the mails and grants of signing in.

create table account (
  id             text primary key,
  email          text not null,
  email_verified boolean not null default false,
  -- '' for our own issuer
  issuer         text not null default '',
  subject        text not null,
  plan           text not null default 'free' check (plan in ('free', 'developer', 'professional')),
  created_at     timestamptz not null default now(),
  unique (issuer, subject)
);

create table api_key (
  -- what may be shown and written down: hx_live_ and eight characters
  prefix     text primary key,
  -- SHA-256 of the whole key, which is held nowhere
  hash       bytea not null unique,
  name       text not null,
  plan       text not null check (plan in ('free', 'developer', 'professional', 'trial')),
  scopes     text[] not null default '{weather:read}',
  account_id text references account (id),
  -- how it came to be: cli, device_flow, first, trial
  channel    text not null default 'cli',
  -- SHA-256 of the ticket with which a trial key is claimed
  ticket     bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- other processes learn of a change by this clock
  changed_at timestamptz not null default clock_timestamp()
);
create index api_key_changed on api_key (changed_at);
create index api_key_ticket on api_key (ticket) where ticket is not null;

-- What has been counted, by key prefix, account or address.
create table key_usage (
  subject     text primary key,
  tokens      double precision not null,
  tokens_at   timestamptz not null,
  day         date not null,
  day_count   bigint not null default 0,
  month       date not null,
  month_count bigint not null default 0,
  total       bigint not null default 0,
  -- of the last grant
  granted     integer not null default 0
);

create table idempotency (
  account_id text not null references account (id),
  key        text not null,
  body_hash  bytea not null,
  prefix     text references api_key (prefix),
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);

-- The embedded mail transport.
create table mail (
  id        bigint generated always as identity primary key,
  recipient text not null,
  subject   text not null,
  body      text not null,
  at        timestamptz not null default now()
);

-- Grants, sessions, clients and codes of the authorization server.
create table oidc_record (
  model       text not null,
  id          text not null,
  payload     jsonb not null,
  grant_id    text,
  user_code   text,
  uid         text,
  consumed_at timestamptz,
  expires_at  timestamptz,
  primary key (model, id)
);
create index oidc_record_grant on oidc_record (grant_id) where grant_id is not null;
create index oidc_record_user_code on oidc_record (user_code) where user_code is not null;
create index oidc_record_uid on oidc_record (uid) where uid is not null;
create index oidc_record_expiry on oidc_record (expires_at);
