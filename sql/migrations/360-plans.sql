-- Indexes for statements that would read a whole table after a year, and vacuum for the tables that change most.

create index climate_report_date on climate_report (date desc, station, name);
create index climate_record_date on climate_record (date desc, issued_at desc, text_id, ordinal);
create index idempotency_created on idempotency (created_at);
create index nowcast_day_day on nowcast_day (day);
create index nowcast_probability_day_day on nowcast_probability_day (day);
create index run_rejected on run (ended_at) where state = 'rejected';
create index text_item_rejected on text_item (issued_at desc) where outcome = 'rejected';

-- A row of usage changes twice a second while its key is used: room on its page keeps the change there.
alter table key_usage set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
alter table metrics_lease set (fillfactor = 50, autovacuum_vacuum_threshold = 200);
alter table feed_state set (fillfactor = 50, autovacuum_vacuum_threshold = 200);
alter table outbox set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table webhook_delivery set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table served_state set (autovacuum_vacuum_scale_factor = 0.05);
alter table observation set (autovacuum_vacuum_scale_factor = 0.05);
