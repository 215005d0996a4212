-- Looking for calls that are due costs what it takes, not what waits; and a receiver that fails backs off as a whole.

-- The oldest pending call of its webhook and subject, or an older one of them that is being sent: the only one that may be sent.
-- Each change of what waits locks the row of its webhook first, so that the head passes on in one order.
alter table webhook_delivery add column head boolean not null default false;
update webhook_delivery set head = true where id in (
  select distinct on (webhook_id, subject) id from webhook_delivery where state = 'pending' order by webhook_id, subject, seq);
-- A process of the version before ends calls and leaves them marked: the mark counts while a call is pending.
create unique index webhook_delivery_head on webhook_delivery (webhook_id, subject) where head and state = 'pending';
create index webhook_delivery_due on webhook_delivery (webhook_id, next_at) where head and state = 'pending';
create index webhook_delivery_leased on webhook_delivery (webhook_id) where leased_until is not null;
create index webhook_delivery_age on webhook_delivery (webhook_id, created_at) where state = 'pending';

alter table webhook
  -- calls that are pending
  add column waiting       integer not null default 0,
  -- failures of the receiver in a row, calls that were in work at the same time counted once
  add column failures      integer not null default 0,
  add column failing_since timestamptz,
  -- no call before; null while the receiver is well
  add column next_at       timestamptz;
update webhook w set waiting = d.waiting
from (select webhook_id, count(*) as waiting from webhook_delivery where state = 'pending' group by 1) d where d.webhook_id = w.id;
-- Each call that ends changes the row of its webhook: room on the page keeps the change there, without entries of indexes.
alter table webhook set (fillfactor = 50);

-- Calls that wait are bounded by account.
create index api_key_account on api_key (account_id) where account_id is not null;
