-- Where the weather that is held comes from: one row.
create table origin (
  only_row boolean primary key default true check (only_row),
  simulated boolean not null,
  since timestamptz not null default now()
);
