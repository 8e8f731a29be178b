-- Who did what to which thing, and when. Written in the transaction of the deed, never changed afterwards.
create table audit_entries (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  actor_kind text not null,
  actor_id text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  details jsonb not null
);
create index audit_entries_newest on audit_entries (tenant_id, id desc);
select protect_table('audit_entries');
revoke update, delete on audit_entries from rollcall_app, rollcall_system;
