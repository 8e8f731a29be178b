-- Overrides of findings on the assets for which a condition on assets is true (docs/conditions.md).
alter table finding_overrides add column condition text;
