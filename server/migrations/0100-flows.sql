-- What the event tells of the asset as it was before the change, by the names of the fields of conditions; null: nothing.
-- It is no part of what receivers get.
alter table events add column before jsonb;
-- The run that caused the event, and how many flows led to it; null: no flow did.
alter table events add column cause_run uuid;
alter table events add column cause_depth smallint;

-- The run whose steps led to this one; null: no flow did.
alter table flow_runs add column cause_run uuid;
alter table flow_changed_assets add column cause_run uuid;

-- What the event told of the asset before the change.
alter table notice_rule_events add column before jsonb;
