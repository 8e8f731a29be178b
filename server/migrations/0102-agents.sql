-- Of our own agents: from what the present observation of the host was made, beside its sections. A report without a
-- change, of a host of which this is still the same, only moves the times at which it was seen.
alter table agents add column observed_from text not null default '';
