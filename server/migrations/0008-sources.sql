-- Where observations come from: one row for each sweep, file format, agent and so on that a tenant connected.
create table sources (
  id uuid primary key,
  tenant_id uuid not null,
  kind text not null,
  name text not null,
  connected_at timestamptz not null,
  unique (tenant_id, kind, name)
);
select protect_table('sources');
