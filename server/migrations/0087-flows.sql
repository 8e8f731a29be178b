-- How often the asset has changed since it was last asked about: one that changes while it is asked about stays.
alter table flow_changed_assets add column changes integer not null default 1;

-- When a message was last sent to the channel, or the attempt ended: by the clock of the database.
alter table notice_channels add column last_attempt_at timestamptz;
-- The receiver asked for no message before.
alter table notice_channels add column not_before timestamptz;

-- Of a run: how many instructions it has done, how long workers had it, and when the last of them moved it on.
alter table flow_runs add column instructions_done integer not null default 0;
alter table flow_runs add column running_ms bigint not null default 0;
alter table flow_runs add column moved_at timestamptz;

-- Of an inbound webhook: whether requests must be signed, as the published version says.
alter table flow_tokens add column is_signed boolean not null default false;
update flow_tokens set is_signed = true where secret_sealed is not null;
