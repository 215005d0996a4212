-- SPC outlooks: the issue in force of each file.

create table outlook_product (
  -- day1otlk_torn
  product   text primary key,
  day       integer not null,
  hazard    text not null,
  -- geojson or points
  source    text not null,
  issued_at timestamptz,
  valid_at  timestamptz,
  expires_at timestamptz,
  version   bigint not null,
  fetched_at timestamptz not null default clock_timestamp()
);

create table outlook (
  product text not null references outlook_product (product) on delete cascade,
  scale   text not null check (scale in ('category', 'probability', 'intensity')),
  label   text not null,
  rank    integer not null,
  area    geometry(MultiPolygon, 4326) not null,
  primary key (product, label)
);
create index outlook_area on outlook using gist (area);
