-- What the interface of the first end told of its speed when the link was last derived.
alter table topology_links add column bits_per_second bigint check (bits_per_second > 0); -- null: not told
