-- How reliable the probabilities of nowcasts would have been without calibration: sums over points of the verified
-- frames of a day (UTC) whose probability is at least 0.5 %. The calibration of later days is learned from them.
create table nowcast_raw_day (
  domain      text not null,
  day         date not null,
  -- minutes between anchor and the frame
  lead        smallint not null,
  -- 0 for 0 to 10 %, 9 for 90 to 100 %
  bin         smallint not null,
  points      bigint not null,
  -- sum of the probabilities, 0 to 1 each
  probability double precision not null,
  wet         bigint not null,
  primary key (domain, day, lead, bin)
);

-- The corrections of all nowcasts of a day (UTC), learned at its first nowcast from days before it.
create table nowcast_calibration (
  domain text not null,
  day    date not null,
  -- ingest/domain/verification/calibration.ts
  learned jsonb not null,
  primary key (domain, day)
);
