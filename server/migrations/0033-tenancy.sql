-- Where a person worked last: an address that names no tenant leads there after signing in.
alter table users add column last_tenant_id uuid references tenants;

-- Browsers in which an account was signed in to, so that others who guess its password do not keep its person out. The
-- token in the cookie is kept as its SHA-256; one browser may be that of several people.
create table known_devices (
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null,
  last_used_at timestamptz not null default clock_timestamp(),
  primary key (user_id, token_hash)
);
create index known_devices_of_token on known_devices (token_hash);
create index known_devices_use on known_devices (last_used_at);
grant select, insert, update, delete on known_devices to rollcall_system;

-- Counts shrink with time, by parts of one.
alter table wrong_guesses alter column times type double precision;
