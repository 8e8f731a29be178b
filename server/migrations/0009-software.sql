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

-- Who has one of these. Under row-level security the index could not be asked, so these run as the engines' role, and say
-- themselves whose rows they want. They are called alone, never beside a table.
create function software_holders(wanted bigint[])
  returns table (observation_id uuid, asset_id uuid, software_id bigint)
  language sql stable security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    select s.observation_id, o.asset_id, held.id
    from software_sets s join asset_observations o on o.tenant_id = current_tenant() and o.id = s.observation_id
      cross join unnest(s.ids) as held (id)
    where s.tenant_id = current_tenant() and s.ids && wanted and held.id = any (wanted)
  $$;

-- A page of them, by name, and how many there are: on one row without an id when the page is empty.
create function assets_with_software(wanted bigint, page_limit bigint, page_offset bigint)
  returns table (id uuid, total bigint)
  language sql stable security definer set search_path = pg_catalog, public
  set plan_cache_mode = force_custom_plan
  as $$
    with held as materialized (
      select a.id, a.name from assets a where a.tenant_id = current_tenant() and a.id in (
        select h.asset_id from software_holders(array[wanted]) h)
    )
    select p.id, t.total from (select count(*) as total from held) t left join (
      select held.id, held.name from held order by name, id limit page_limit offset page_offset
    ) p on true order by p.name, p.id
  $$;

select run_as_system('software_holders(bigint[])'), run_as_system('assets_with_software(bigint, bigint, bigint)');
revoke execute on function software_holders(bigint[]), assets_with_software(bigint, bigint, bigint) from public;
grant execute on function software_holders(bigint[]), assets_with_software(bigint, bigint, bigint) to rollcall_app;
