-- What a control's status was judged on, as bytes that never change; the audit log has their digest.
create table compliance_evidence (
  tenant_id uuid not null,
  id uuid not null,
  framework text not null,
  control_id text not null,
  effective_on timestamptz not null, -- since when the status holds
  recorded_at timestamptz not null,
  digest bytea not null, -- SHA-256 of the canonical JSON
  content bytea not null, -- the canonical JSON, deflated
  primary key (tenant_id, id)
);
create index compliance_evidence_of_control on compliance_evidence (tenant_id, framework, control_id, recorded_at, id);
select protect_table('compliance_evidence');
revoke update on compliance_evidence from rollcall_app, rollcall_system;
