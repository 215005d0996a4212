-- The model beside the nowcast: sums over the frames of full hours, at points of the model's tiles.
alter table nowcast_day
  add column model_frames       integer not null default 0,
  -- compared points
  add column model_pixels       bigint not null default 0,
  add column model_hits         bigint not null default 0,
  add column model_misses       bigint not null default 0,
  add column model_false_alarms bigint not null default 0;
