-- Published changes of texts, for streams that resume. Numbers are those of the outbox, as in alert_change.

create table text_change (
  id      bigint primary key,
  -- text_product, which is kept for longer
  item    text not null,
  part    integer not null,
  payload jsonb not null,
  at      timestamptz not null
);
create index text_change_at on text_change (at);
