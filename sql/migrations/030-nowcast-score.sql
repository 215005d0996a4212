-- How right nowcasts were: one row a verified frame, lead and threshold.
create table nowcast_score (
  domain       text not null,
  valid        timestamptz not null,
  -- minutes between anchor and the frame
  lead         smallint not null,
  -- mm/h
  threshold    real not null,
  hits         integer not null,
  misses       integer not null,
  false_alarms integer not null,
  primary key (domain, valid, lead, threshold)
);
