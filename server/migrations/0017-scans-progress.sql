-- How far the running attempt is, in numbers: what `message` says in words. Null until it has looked at something.
alter table scans add column progress jsonb;
