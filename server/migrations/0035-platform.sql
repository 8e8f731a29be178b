-- Answers to requests with an Idempotency-Key, each written in the transaction of its request, so that the request can
-- be sent again by who does not know whether it was taken.
create table idempotency_keys (
  tenant_id uuid not null,
  -- method and path of the endpoint
  endpoint text not null,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of what was asked
  request bytea not null,
  -- the JSON, to the letter, and the headers; null only in the transaction that makes it
  reply json,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, endpoint, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
select protect_table('idempotency_keys');
