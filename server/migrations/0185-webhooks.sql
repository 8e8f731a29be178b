-- A success at the first attempt, which nearly all are, is one row: it holds what webhook_attempts would say of the attempt.
-- ms is null in all other rows.
alter table webhook_delivery_log
  add column ms integer,
  add column phase text,
  add column http_status smallint,
  add column excerpt bytea;
