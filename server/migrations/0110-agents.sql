-- Versions of our own agent that it may be updated to. They are the same for all tenants and signed by whoever makes them,
-- so a release has no tenant, and nothing that a tenant has is written here.
create table agent_releases (
  version text primary key,
  -- manifest, signature and the certificate of the key, as agents check them
  release jsonb not null,
  -- so many of a hundred agents are told of it; 0: none
  rollout smallint not null default 0 check (rollout in (0, 1, 10, 100)),
  -- agents that were told of it, and those that went back to the version before
  offered integer not null default 0,
  taken_back integer not null default 0,
  -- too many went back
  stopped_at timestamptz,
  added_at timestamptz not null
);
-- one at a time
create unique index agent_releases_rolling_out on agent_releases ((rollout > 0)) where rollout > 0;

create table agent_release_parts (
  version text not null references agent_releases on delete cascade,
  platform text not null,
  n integer not null,
  content bytea not null,
  primary key (version, platform, n)
);
grant select, insert, update, delete on agent_releases, agent_release_parts to rollcall_system;

-- The version that the host was told of last, and whether it went back to the one before.
alter table agents add column update_version text;
alter table agents add column is_update_taken_back boolean not null default false;
