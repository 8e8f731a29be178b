-- Where observations come from: one row for each sweep, file format, agent and so on that a tenant connected.
create table sources (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  name text not null,
  connected_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, kind, name)
);
select protect_table('sources');
