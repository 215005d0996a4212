-- Written by sql/generate.ts from the migrations; do not edit.

create table note (
  name text not null,
  value jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint note_pkey PRIMARY KEY (name)
);

create table outbox (
  id bigint generated always as identity not null,
  topic text not null,
  key text not null,
  payload jsonb not null,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  constraint outbox_pkey PRIMARY KEY (id)
);

create table pointer (
  dataset text not null,
  domain text default ''::text not null,
  run timestamp with time zone not null,
  stage integer default 0 not null,
  manifest_key text not null,
  published_at timestamp with time zone default now() not null,
  constraint pointer_pkey PRIMARY KEY (dataset, domain)
);

create table run (
  dataset text not null,
  run timestamp with time zone not null,
  domain text default ''::text not null,
  state text not null,
  reason text,
  wanted integer default 0 not null,
  got integer default 0 not null,
  missing integer default 0 not null,
  published_to integer,
  manifest_key text,
  manifest jsonb,
  claimed_at timestamp with time zone default now() not null,
  published_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint run_pkey PRIMARY KEY (dataset, domain, run),
  constraint run_state_check CHECK ((state = ANY (ARRAY['claimed'::text, 'published'::text, 'failed'::text, 'gone'::text, 'retired'::text])))
);

CREATE INDEX outbox_sent ON public.outbox USING btree (sent_at) WHERE (sent_at IS NOT NULL);

CREATE INDEX outbox_unsent ON public.outbox USING btree (id) WHERE (sent_at IS NULL);

CREATE INDEX run_by_age ON public.run USING btree (dataset, run DESC);

CREATE OR REPLACE FUNCTION public.pointer_forward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.run, new.stage) < (old.run, old.stage) then
    raise exception 'pointer of %/%: wanted a run from % on, got %', old.dataset, old.domain, old.run, new.run
      using errcode = 'HX001';
  end if;
  return new;
end $function$
;

CREATE TRIGGER pointer_forward BEFORE UPDATE ON public.pointer FOR EACH ROW EXECUTE FUNCTION pointer_forward();
