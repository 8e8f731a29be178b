-- What the tenant's things have installed: each distinct piece of software once, however many things have it.
create table software (
  tenant_id uuid not null,
  id bigint generated always as identity,
  digest bytea not null, -- of all that was said of it, first 16 bytes of SHA-256
  origin text not null,
  ecosystem text not null, -- where the name means something; empty where it means something to nobody else
  name text not null,
  version text not null,
  arch text not null,
  source_name text not null,
  source_version text not null,
  vendor text not null,
  purl text not null,
  cpe text not null,
  vendor_key text not null, -- vendor and product as the CPE dictionary would spell them; empty: not known
  product_key text not null,
  installs integer not null default 0, -- in how many rows of software_sets
  first_seen timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, digest)
) with (fillfactor = 70);
create index software_names on software (tenant_id, lower(name), id);
create index software_sources on software (tenant_id, lower(source_name)) where source_name <> '';
create index software_products on software (tenant_id, product_key) where product_key <> '';
select protect_table('software');

-- What one observation has from one origin. Follows the observation when assets are merged and parted.
create table software_sets (
  tenant_id uuid not null,
  observation_id uuid not null,
  origin text not null,
  ids bigint[] not null, -- of software, ascending
  hash bytea not null, -- of the report that brought them, and of what it said of the system
  details jsonb, -- by id: for which accounts it is installed, and since when, where that was said
  reported_at timestamptz not null, -- when what stands here was first reported so
  primary key (tenant_id, observation_id, origin),
  foreign key (tenant_id, observation_id) references asset_observations (tenant_id, id) on delete cascade
);
create index software_sets_ids on software_sets using gin (ids) with (gin_pending_list_limit = 16384);
select protect_table('software_sets');

-- What came and went after the first report.
create table software_changes (
  tenant_id uuid not null,
  observation_id uuid not null,
  id bigint generated always as identity,
  origin text not null,
  kind text not null check (kind in ('installed', 'removed', 'changed')),
  software_id bigint not null,
  former_id bigint, -- what it took the place of
  at timestamptz not null,
  primary key (tenant_id, observation_id, id),
  foreign key (tenant_id, observation_id) references asset_observations (tenant_id, id) on delete cascade
);
select protect_table('software_changes');

-- The operating system of an observation, as it names itself.
create table software_systems (
  tenant_id uuid not null,
  observation_id uuid not null,
  os_id text not null,
  version_id text not null,
  codename text not null,
  pretty_name text not null,
  kernel text not null,
  ecosystem text not null,
  reported_at timestamptz not null,
  primary key (tenant_id, observation_id),
  foreign key (tenant_id, observation_id) references asset_observations (tenant_id, id) on delete cascade
);
select protect_table('software_systems');

-- Which observations have one of these. Under row-level security the index could not be asked.
create function software_holders(wanted bigint[])
  returns table (observation_id uuid, software_id bigint)
  language sql stable security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    select s.observation_id, held.id from software_sets s cross join unnest(s.ids) as held (id)
    where s.tenant_id = current_tenant() and s.ids && wanted and held.id = any (wanted)
  $$;
select run_as_system('software_holders(bigint[])');
revoke execute on function software_holders(bigint[]) from public;
grant execute on function software_holders(bigint[]) to rollcall_app;
