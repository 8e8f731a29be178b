-- Whether somebody said the criticality: `normal` is also what an asset weighs of which nobody said anything.
alter table asset_weights add column criticality_said boolean not null default false;
update asset_weights set criticality_said = true where criticality <> 'normal';

-- As of when the advisories that findings come from were read: the oldest of the feeds in use; NULL where none is.
alter table matching_cursors add column feeds_read_at timestamptz;

-- The day on which public support ends (9999-12-31: supported without a date; 1900-01-01: ended without a date), NULL
-- where no lifecycle is known, and whether that was looked up since the row was written.
alter table software_systems
  add column ends_on date,
  add column is_end_decided boolean not null default false;
alter table software
  add column ends_on date,
  add column is_end_decided boolean not null default false;
create index software_without_end on software (tenant_id, id)
  where not is_end_decided and origin not in ('dpkg', 'rpm', 'apk', 'pacman', 'hotfix', 'os');
