-- Protocols of machines and buildings in which sweeps of the target ask devices who they are: modbus, bacnet, mqtt.
alter table scan_targets add column industrial_reads text[] not null default '{}';
