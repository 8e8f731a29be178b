-- The name as conditions compare it, folded as `foldText` does it when the entry is written. NULL: written before that,
-- so the condition is decided in memory alone.
alter table software add column folded_name text;
