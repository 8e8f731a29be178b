-- From where and by whose name, as it was at the time.
alter table audit_entries
  add column actor_name text,
  add column address text;
create index audit_entries_of_subject on audit_entries (tenant_id, subject_type, subject_id, id desc);
create index audit_entries_of_actor on audit_entries (tenant_id, actor_id, id desc);

-- The chain of a tenant: every entry has one link, whose hash covers the entry and the link before it. Whoever changes,
-- removes or slips in an entry must rewrite all links after it, and every copy of a later hash tells.
create table audit_links (
  tenant_id uuid not null,
  seq bigint not null,
  entry_id bigint not null unique references audit_entries,
  hash bytea not null,
  primary key (tenant_id, seq)
);
select protect_table('audit_links');
revoke insert, update, delete on audit_links from rollcall_app;
revoke update, delete on audit_links from rollcall_system;

-- The last link of each tenant. Its row is locked from the moment an entry is linked until that transaction ends, which
-- is at once: linking is the last thing a transaction does.
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
create function audit_text(entry audit_entries) returns text
  language sql immutable
  return jsonb_build_array(
    entry.id, entry.tenant_id, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor_kind, entry.actor_id,
    entry.actor_name, entry.address, entry.action, entry.subject_type, entry.subject_id, entry.details)::text;

create function audit_hash(previous bytea, entry audit_entries) returns bytea
  language sql immutable
  return sha256(previous || convert_to(audit_text(entry), 'UTF8'));

create function link_audit_entry() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_heads;
begin
  insert into audit_heads as last (tenant_id, seq, hash) values (new.tenant_id, 1, audit_hash('', new))
  on conflict (tenant_id) do update set seq = last.seq + 1, hash = audit_hash(last.hash, new)
  returning * into head;
  insert into audit_links (tenant_id, seq, entry_id, hash) values (head.tenant_id, head.seq, new.id, head.hash);
  return null;
end
$$;
select run_as_system('link_audit_entry()');

-- Deferred to the commit: nobody waits for the head of a chain while holding anything that its holder may want.
create constraint trigger link after insert on audit_entries
  deferrable initially deferred for each row execute function link_audit_entry();

-- What was written before there was a chain begins it, in the order it was written.
set local role rollcall_system;
do $$
declare
  entry audit_entries;
  head audit_heads;
begin
  for entry in select * from audit_entries order by id loop
    insert into audit_heads as last (tenant_id, seq, hash) values (entry.tenant_id, 1, audit_hash('', entry))
    on conflict (tenant_id) do update set seq = last.seq + 1, hash = audit_hash(last.hash, entry)
    returning * into head;
    insert into audit_links (tenant_id, seq, entry_id, hash) values (head.tenant_id, head.seq, entry.id, head.hash);
  end loop;
end
$$;
reset role;
