-- Forecaster text: what the lists of api.weather.gov named and what became of it, and each issue as decoded.

create table text_item (
  -- of api.weather.gov/products; its text never changes
  id        text primary key,
  -- name of the list that named it first: text/afd, text/swo-mcd
  list      text not null,
  -- KBOX
  office    text not null,
  -- issuanceTime of the list
  issued_at timestamptz not null,
  -- read, ignored (a product that is not offered), refused (tried again at every poll while it is listed)
  outcome   text not null check (outcome in ('read', 'ignored', 'refused')),
  -- why it was refused
  reason    text,
  detail    text,
  tries     integer not null default 1,
  tried_at  timestamptz not null default clock_timestamp()
);
create index text_item_list on text_item (list, issued_at);

create table text_product (
  item          text not null references text_item (id) on delete cascade,
  -- position among the products of one text
  part          integer not null,
  kind          text not null check (kind in ('afd', 'hwo', 'now', 'hls', 'mcd', 'mpd', 'pmd', 'swo')),
  awips         text not null,
  -- KBOX
  office        text not null,
  -- BOX; null for nationwide kinds
  wfo           text,
  -- later issues of the same subject replace earlier ones
  subject       text not null,
  wmo_at        timestamptz not null,
  bbb_rank      integer not null,
  issued_at     timestamptz not null,
  current_until timestamptz not null,
  -- UGC end or VALID
  expires_at    timestamptz,
  -- the decoded issue, its body included (ingest/domain/text-product.ts, TextIssue)
  record        jsonb not null,
  -- ATTN...WFO: offices that an MCD or MPD is addressed to
  attention     text[] not null default '{}',
  -- LAT...LON of an MCD or MPD
  area          geometry(Polygon, 4326),
  -- the newest of its subject
  newest        boolean not null,
  -- its end was announced, or it was never current as the newest
  ended         boolean not null default false,
  -- grows with every change of a row; readers ask for what is newer
  version       bigint not null,
  fetched_at    timestamptz not null default clock_timestamp(),
  primary key (item, part)
);
create unique index text_product_newest on text_product (subject) where newest;
create index text_product_subject on text_product (subject, wmo_at);
create index text_product_kind on text_product (kind, wfo, issued_at);
create index text_product_end on text_product (current_until) where newest and not ended;
create index text_product_version on text_product (version);
create index text_product_area on text_product using gist (area) where area is not null;
