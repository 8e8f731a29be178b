-- Hosts that share the id of another host, which are few: found without reading all agents.
create index agents_sharing_ids on agents (tenant_id, kind, device_id)
  where starts_with(source_key, device_id || '#');
