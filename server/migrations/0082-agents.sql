-- A revoked agent is refused from its next request on; it can be enrolled anew with another key.
alter table agents add column revoked_at timestamptz;
alter table agent_keys add column revoked_at timestamptz;
