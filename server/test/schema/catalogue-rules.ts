import type { Query } from '../../src/platform/database/database.ts'
import { sql } from 'kysely'
import type { Tables } from '../../src/platform/database/tables.ts'

/** A rule about what is in the database. */
export interface CatalogueRule {
  readonly name: string
  /** Answers the offences, one row each; `tables` are those of tenants. */
  readonly offences: (tables: readonly string[], all: Tables) => Query<{ offence: string }>
  /** What breaks it, as the owner of the database: with a table `gadgets` of tenants. */
  readonly offence: string
}

const TENANT_KEY = sql`(select attnum from pg_attribute where attrelid = c.oid and attname = 'tenant_id')`

/** `c` is a table of tenants, by its name. */
const ofTenants = (tables: readonly string[]) =>
  sql`c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname = any(${[...tables]}::text[])`

const gadgets = (columns: string): string =>
  `create table gadgets (tenant_id uuid not null, id uuid, ${columns})`

/** Kept by every table of tenants, so that a tenant can be moved, replicated and distributed (docs/decisions/0031). */
export const catalogueRules: readonly CatalogueRule[] = [
  {
    name: 'every table is of a kind',
    offences: (_, all) => sql`
      select c.relname as offence from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> all(${Object.keys(all)}::text[])`,
    offence: 'create table widgets (id uuid primary key)',
  },
  {
    name: 'every table has a primary key, which logical replication needs',
    offences: (tables) => sql`
      select c.relname as offence from pg_class c where ${ofTenants(tables)}
        and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`,
    offence: gadgets('unique (tenant_id, id)'),
  },
  {
    name: 'primary and unique keys begin with tenant_id',
    offences: (tables) => sql`
      select i.indexrelid::regclass::text as offence from pg_class c join pg_index i on i.indrelid = c.oid
      where ${ofTenants(tables)} and i.indisunique and i.indkey[0] is distinct from ${TENANT_KEY}`,
    offence: gadgets('primary key (id, tenant_id)'),
  },
  {
    name: 'foreign keys begin with tenant_id on both sides, and lead to tables of tenants',
    offences: (tables) => sql`
      select k.conname || ' of ' || c.relname as offence
      from pg_class c join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
      join pg_class t on t.oid = k.confrelid
      where ${ofTenants(tables)} and (t.relname <> all(${[...tables]}::text[])
        or k.conkey[1] is distinct from ${TENANT_KEY}
        or k.confkey[1] is distinct from (select attnum from pg_attribute where attrelid = t.oid and attname = 'tenant_id'))`,
    offence: gadgets('primary key (tenant_id, id), foreign key (tenant_id) references tenants'),
  },
  {
    name: 'no foreign key clears a column: what deletes the row clears what leads to it',
    offences: (tables) => sql`
      select k.conname || ' of ' || c.relname as offence
      from pg_class c join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' and k.confdeltype in ('n', 'd')
      where ${ofTenants(tables)}`,
    offence: gadgets(
      'primary key (tenant_id, id), asset uuid, foreign key (tenant_id, asset) references assets on delete set null (asset)',
    ),
  },
  {
    name: 'generated numbers are bigint identities, which have room for the numbers of all databases',
    offences: (tables) => sql`
      select a.attname || ' of ' || c.relname as offence from pg_class c join pg_attribute a on a.attrelid = c.oid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where ${ofTenants(tables)} and (a.attidentity <> '' and a.atttypid <> 'bigint'::regtype
        or pg_get_expr(d.adbin, d.adrelid) like 'nextval%')`,
    offence: gadgets('n integer generated always as identity, primary key (tenant_id, id)'),
  },
  {
    name: 'row-level security is on, and not forced on the owner',
    offences: (tables) => sql`
      select c.relname as offence from pg_class c
      where ${ofTenants(tables)} and (not c.relrowsecurity or c.relforcerowsecurity)`,
    offence: `${gadgets('primary key (tenant_id, id)')}; select protect_table('gadgets');
      alter table gadgets force row level security`,
  },
  {
    name: 'policies have no subquery, and are those of protect_table',
    offences: (tables) => sql`
      select p.polname || ' of ' || c.relname as offence from pg_class c join pg_policy p on p.polrelid = c.oid
      where ${ofTenants(tables)} and (pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid))
        not in (('(tenant_id = current_tenant())', '(tenant_id = current_tenant())'), ('true', 'true'))`,
    offence: `${gadgets('primary key (tenant_id, id)')};
      create policy tenant on gadgets to rollcall_app using (tenant_id = (select current_tenant()))`,
  },
  {
    name: 'there are no triggers',
    offences: (tables) => sql`
      select g.tgname || ' of ' || c.relname as offence from pg_class c join pg_trigger g on g.tgrelid = c.oid
      where ${ofTenants(tables)} and not g.tgisinternal`,
    offence: `${gadgets('primary key (tenant_id, id)')};
      create function noted() returns trigger language plpgsql as 'begin return null; end';
      create trigger noted after insert on gadgets for each row execute function noted()`,
  },
  {
    name: 'no function takes or answers a row of a table',
    offences: () => sql`
      select p.oid::regprocedure::text as offence from pg_proc p
      where p.pronamespace = 'public'::regnamespace and exists (
        select from unnest(p.proargtypes::oid[] || p.prorettype) as used(type) join pg_type t on t.oid = used.type
        join pg_class r on r.oid = t.typrelid and r.relkind in ('r', 'p', 'v'))`,
    offence: `create function name_of(asset assets) returns text language sql return asset.name`,
  },
]
