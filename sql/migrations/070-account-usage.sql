-- Keys of one account share its allowance: what its keys have used so far becomes the account's.
insert into key_usage (subject, tokens, tokens_at, day, day_count, month, month_count, total)
select 'account ' || k.account_id, min(u.tokens), max(u.tokens_at),
       max(latest.day), sum(u.day_count) filter (where u.day = latest.day),
       max(latest.month), sum(u.month_count) filter (where u.month = latest.month), sum(u.total)
from api_key k
join key_usage u on u.subject = k.prefix
join (select a.account_id, max(b.day) as day, max(b.month) as month
      from api_key a join key_usage b on b.subject = a.prefix
      where a.account_id is not null group by a.account_id) latest on latest.account_id = k.account_id
where k.account_id is not null
group by k.account_id
on conflict (subject) do update set day_count = key_usage.day_count + excluded.day_count,
  month_count = key_usage.month_count + excluded.month_count, total = key_usage.total + excluded.total;
