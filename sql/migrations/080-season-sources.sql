-- Days of the season take an hour from RTMA where URMA is late or absent, until URMA replaces it.

-- Cells of a slab: those of other cells (another grid or resolution) cannot be joined with it.
alter table season_hour add column cover text not null default '';

alter table season_day add column cover text not null default '';
-- of `hours`, those that are of the season's own dataset (URMA); the others are of RTMA
alter table season_day add column observed integer not null default 0;
-- slabs that were replaced: removed when no build can be reading them
alter table season_day add column superseded text[] not null default '{}';
update season_day set observed = hours;

alter table season_month add column cover text not null default '';
alter table season_month add column observed integer not null default 0;
-- dates whose extremes hold an hour of RTMA
alter table season_month add column analysis date[] not null default '{}';
update season_month set observed = hours;
