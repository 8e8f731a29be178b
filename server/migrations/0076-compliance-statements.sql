-- Statements of applicability of a framework: which of its controls apply, and why. Of each framework at most one is being
-- written or reviewed, and at most one is approved; an approved one keeps its bytes.
create table compliance_statements (
  tenant_id uuid not null,
  id uuid not null,
  framework text not null,
  version integer not null, -- from 1, of the framework
  state text not null check (state in ('draft', 'in_review', 'approved', 'superseded')),
  created_at timestamptz not null,
  created_by_name text not null,
  submitted_at timestamptz,
  submitted_by text, -- id of the actor; another one approves
  submitted_by_name text,
  approved_at timestamptz,
  approved_by_name text,
  approved_role text,
  digest bytea, -- SHA-256 of the content
  content bytea, -- canonical JSON, as it was approved
  primary key (tenant_id, id),
  unique (tenant_id, framework, version),
  check ((approved_at is null) = (content is null))
);
create unique index compliance_statements_open on compliance_statements (tenant_id, framework)
  where state in ('draft', 'in_review');
create unique index compliance_statements_approved on compliance_statements (tenant_id, framework)
  where state = 'approved';
select protect_table('compliance_statements');

create table compliance_statement_rows (
  tenant_id uuid not null,
  statement_id uuid not null,
  control_id text not null,
  is_applicable boolean not null,
  justification text not null, -- of inclusion, or of exclusion
  implementation text not null check (implementation in ('', 'planned', 'partly', 'implemented', 'alternative')),
  owner text not null,
  measures text not null,
  primary key (tenant_id, statement_id, control_id),
  foreign key (tenant_id, statement_id) references compliance_statements (tenant_id, id) on delete cascade
);
select protect_table('compliance_statement_rows');
