-- Who did what to which thing, when and from where. Written in the transaction of the deed, never changed afterwards.
create table audit_entries (
  tenant_id uuid not null,
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  actor_kind text not null,
  actor_id text not null,
  actor_name text, -- as it was at the time
  address text,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  details jsonb not null,
  primary key (tenant_id, id)
);
create index audit_entries_of_subject on audit_entries (tenant_id, subject_type, subject_id, id desc);
create index audit_entries_of_actor on audit_entries (tenant_id, actor_id, id desc);
select protect_table('audit_entries');
revoke update, delete on audit_entries from rollcall_app, rollcall_system;

-- The chain of a tenant: every entry has one link, whose hash covers the entry and the link before it. Whoever changes,
-- removes or slips in an entry must rewrite all links after it, and every copy of a later hash tells.
create table audit_links (
  tenant_id uuid not null,
  seq bigint not null,
  entry_id bigint not null,
  hash bytea not null,
  primary key (tenant_id, seq),
  unique (tenant_id, entry_id),
  foreign key (tenant_id, entry_id) references audit_entries (tenant_id, id)
);
select protect_table('audit_links');
revoke insert, update, delete on audit_links from rollcall_app;
revoke update, delete on audit_links from rollcall_system;

-- The last link of each tenant. Its row is locked from the moment an entry is linked until that transaction ends, which
-- is at once: linking is the last thing a transaction does, so that nobody waits for the head of a chain while holding
-- anything that its holder may want.
create table audit_heads (
  tenant_id uuid primary key,
  seq bigint not null,
  hash bytea not null
);
select protect_table('audit_heads');
revoke insert, update, delete on audit_heads from rollcall_app;
revoke delete on audit_heads from rollcall_system;

-- The text under the hash: JSON, so that no two entries have the same; the instant in microseconds, which no setting of
-- a session writes differently.
create function audit_text(id bigint, tenant_id uuid, at timestamptz, actor_kind text, actor_id text, actor_name text,
  address text, action text, subject_type text, subject_id text, details jsonb) returns text
  language sql immutable
  return jsonb_build_array(id, tenant_id, (extract(epoch from at) * 1000000)::bigint, actor_kind, actor_id, actor_name,
    address, action, subject_type, subject_id, details)::text;

-- Links entries of one tenant in the order of their ids. It runs as the engines' role, so that a tenant can neither
-- write links nor heads, and each entry is linked once.
create function link_audit_entries(tenant uuid, entry_ids bigint[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  entry record;
  head record;
begin
  insert into audit_heads (tenant_id, seq, hash) values (tenant, 0, '') on conflict (tenant_id) do nothing;
  select h.seq, h.hash into head from audit_heads h where h.tenant_id = tenant for update;
  for entry in
    select e.id, convert_to(audit_text(e.id, e.tenant_id, e.at, e.actor_kind, e.actor_id, e.actor_name, e.address, e.action,
      e.subject_type, e.subject_id, e.details), 'UTF8') as bytes
    from audit_entries e where e.tenant_id = tenant and e.id = any (entry_ids) order by e.id
  loop
    head.seq := head.seq + 1;
    head.hash := sha256(head.hash || entry.bytes);
    insert into audit_links (tenant_id, seq, entry_id, hash) values (tenant, head.seq, entry.id, head.hash);
  end loop;
  update audit_heads h set seq = head.seq, hash = head.hash where h.tenant_id = tenant;
end
$$;
select run_as_system('link_audit_entries(uuid, bigint[])');
revoke execute on function link_audit_entries(uuid, bigint[]) from public;
grant execute on function link_audit_entries(uuid, bigint[]) to rollcall_app, rollcall_system;
