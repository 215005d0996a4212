-- How right nowcasts were: sums over the verified frames of a day (UTC).
create table nowcast_day (
  domain             text not null,
  day                date not null,
  -- minutes between anchor and the frame
  lead               smallint not null,
  -- mm/h
  threshold          double precision not null,
  frames             integer not null,
  -- compared pixels
  pixels             bigint not null,
  hits               bigint not null,
  misses             bigint not null,
  false_alarms       bigint not null,
  -- the anchor frame, unmoved
  still_hits         bigint not null,
  still_misses       bigint not null,
  still_false_alarms bigint not null,
  primary key (domain, day, lead, threshold)
);

-- How reliable the probabilities of nowcasts were: sums over points of the verified frames of a day (UTC).
create table nowcast_probability_day (
  domain      text not null,
  day         date not null,
  lead        smallint not null,
  -- 0 for 0 to 10 %, 9 for 90 to 100 %
  bin         smallint not null,
  points      bigint not null,
  -- sum of the probabilities, 0 to 1 each
  probability double precision not null,
  wet         bigint not null,
  primary key (domain, day, lead, bin)
);
