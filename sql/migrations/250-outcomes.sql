-- One word for what is not taken: rejected. Versions that are stored change the word too; nothing becomes a new version.

alter table run drop constraint run_state_check;
alter table text_item drop constraint text_item_outcome_check;
alter table run disable trigger keep_version;
alter table text_item disable trigger keep_version;
update run set state = 'rejected' where state = 'failed';
update text_item set outcome = 'rejected' where outcome = 'refused';
do $$
declare
  past text := current_schema() || '_past';
begin
  execute format('update %I.ended_run set state = %L where state = %L', past, 'rejected', 'failed');
  execute format('update %I.ended_text_item set outcome = %L where outcome = %L', past, 'rejected', 'refused');
end $$;
alter table run enable trigger keep_version;
alter table text_item enable trigger keep_version;
alter table run add constraint run_state_check check (state in ('claimed', 'published', 'rejected', 'gone', 'retired'));
alter table text_item add constraint text_item_outcome_check check (outcome in ('read', 'ignored', 'rejected'));

alter table climate_text rename column refused to rejected;

alter table alert_kept_aside rename to rejected_entry;
alter table rejected_entry rename constraint alert_kept_aside_pkey to rejected_entry_pkey;
