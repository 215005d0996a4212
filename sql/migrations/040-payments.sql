-- Payments for single calls: an authorization is taken once, by whichever process sees it first.
create table payment (
  -- address, in lower case
  payer       text not null,
  nonce       text not null,
  -- when the authorization ends by itself; the row is forgotten after that
  valid_until timestamptz not null,
  primary key (payer, nonce)
);
create index payment_end on payment (valid_until);
