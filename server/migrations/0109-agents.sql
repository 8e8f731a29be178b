-- Which agents a token admits: our own, those of others, or both, as every token did until now.
alter table enrolment_tokens add column kind text not null default 'both' check (kind in ('agent', 'dropin', 'both'));
alter table enrolment_tokens alter column kind drop default;
-- How many hosts may enrol our own agent with it; null: any number.
alter table enrolment_tokens add column uses_max integer check (uses_max > 0);
alter table enrolment_tokens add column uses integer not null default 0;
-- Hosts that enrol with it report nothing until somebody approves them.
alter table enrolment_tokens add column needs_approval boolean not null default false;
-- The host waits for that.
alter table agents add column is_pending boolean not null default false;
-- Digests of hardware are salted with the tenant, so that two tenants' rows do not tell that they have the same host.
update agents a set fingerprint = coalesce((
  select jsonb_object_agg(part, encode(substr(sha256(convert_to(
    'rollcall-fingerprint-1' || chr(10) || a.tenant_id || chr(10) || digest, 'UTF8')), 1, 16), 'hex'))
  from jsonb_each_text(a.fingerprint) as parts (part, digest)), '{}')
where kind = 'agent';
