-- The sweeps of datasets of frames: one that does not end, and sources whose listings fail.
create table frame_sweep (
  dataset       text primary key,
  -- start of the first sweep since one ended
  began_at      timestamptz not null,
  ended_at      timestamptz,
  -- since when listings fail, and why; null: the last was answered
  failing_since timestamptz,
  failure       text
);
