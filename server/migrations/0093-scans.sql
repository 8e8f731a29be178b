-- A target is one network, one host, or (`range`) several of both with exclusions. `address` is what people read, and
-- what events say: the one text, else the entries joined.
alter table scan_targets
  drop constraint scan_targets_kind_check,
  add constraint scan_targets_kind_check check (kind in ('cidr', 'host', 'range')),
  add column entries text[] not null default '{}',
  add column exclusions text[] not null default '{}';
update scan_targets set entries = array[address];

-- A scan remembers what it looked at; of a network or a host `target_address` says it.
alter table scans
  drop constraint scans_target_kind_check,
  add constraint scans_target_kind_check check (target_kind in ('cidr', 'host', 'range')),
  add column target_entries text[] not null default '{}',
  add column target_exclusions text[] not null default '{}';
