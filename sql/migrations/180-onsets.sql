-- What is known of the precipitation at the points of webhooks for nowcast.onset, so that each beginning is reported once.
create table onset_watch (
  webhook_id text primary key references webhook (id) on delete cascade,
  -- the point and the minutes that it is of: after a change of the filter it begins anew
  subject    text not null,
  -- time of the newest scan that was judged
  anchor     timestamptz not null,
  armed      boolean not null,
  -- neither falls nor comes anything since then
  dry_from   timestamptz
);
