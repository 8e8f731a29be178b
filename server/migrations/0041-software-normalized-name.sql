-- The name as conditions compare it, normalized as `normalizeText` does it when the entry is written. NULL: written before that,
-- so the condition is decided in memory alone.
alter table software add column normalized_name text;
