-- Counted calls by day (UTC), for the chart of an account. Removed after 62 days.
create table usage_day (
  subject text not null,
  day     date not null,
  calls   bigint not null check (calls >= 0),
  primary key (subject, day)
);
create index usage_day_day on usage_day (day);
insert into usage_day (subject, day, calls)
select subject, day, greatest(0, day_count) from key_usage;
