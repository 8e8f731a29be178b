-- Who made the key, to be told about it; null: the owner of the machine, or nobody wrote it down.
alter table api_keys add column created_by uuid;

-- When the owner of a key was last told that it calls a deprecated endpoint.
create table deprecated_uses (
  tenant_id uuid not null,
  key_id uuid not null,
  -- Such as GET /assets/{id}.
  endpoint text not null,
  told_at timestamptz not null,
  primary key (tenant_id, key_id, endpoint)
);
select protect_table('deprecated_uses');
