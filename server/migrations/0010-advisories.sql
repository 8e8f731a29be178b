-- What public feeds say of vulnerabilities. It is the same for everybody, so none of these tables has a tenant: every
-- tenant reads the catalogue, and only the engines write it. Nothing that a tenant has is ever written here.

-- One row for each feed that somebody turned on, loaded or synced.
create table advisory_feeds (
  name text primary key,
  -- zero calls leave the house before a person turns a feed on
  is_enabled boolean not null default false,
  -- an administrator's copy, instead of the public address
  mirror_url text,
  -- sealed; what the origin knows this installation by
  api_key bytea,
  -- asked for by a person; the next process that looks begins
  requested_at timestamptz,
  started_at timestamptz,
  -- when it was last found to be as its origin is
  synced_at timestamptz,
  -- how many it has in the catalogue
  records integer not null default 0,
  next_at timestamptz,
  failures integer not null default 0,
  last_error text,
  progress json,
  -- who is at it: a process that died is missed after the lease
  lease uuid,
  leased_until timestamptz
);

-- A feed comes in files, each of which is taken as a whole or not at all: a year, an ecosystem, a release.
create table advisory_parts (
  feed text not null,
  part text not null,
  etag text,
  last_modified text,
  -- SHA-256 that its origin tells, of the content
  checksum text,
  -- where an incremental feed goes on
  position text,
  records integer not null default 0,
  synced_at timestamptz not null,
  primary key (feed, part)
);

-- One row: the generation that each taken file counts up. Its lock lets one file be taken at a time, so that whoever
-- has seen a generation has seen all before it.
create table catalogue (
  is_only boolean primary key default true check (is_only),
  generation bigint not null default 0,
  -- changes up to here are no longer told one by one
  forgotten bigint not null default 0
);
insert into catalogue default values;

create table advisories (
  feed text not null,
  -- the id, and what else tells two records of one id apart in this feed
  key text not null,
  id text not null,
  part text not null,
  digest bytea not null,
  state text not null check (state in ('published', 'rejected', 'withdrawn')),
  is_disputed boolean not null,
  cve_ids text[] not null,
  severity text,
  -- description, scores, weaknesses, references, dates: whatever is only shown
  body json not null,
  primary key (feed, key)
);
create index advisories_of_part on advisories (feed, part);

-- By which names an advisory is found: its own, those of its vulnerabilities, and its aliases.
create table advisory_names (
  name text not null,
  feed text not null,
  key text not null,
  primary key (name, feed, key)
);
create index advisory_names_of_advisory on advisory_names (feed, key);

-- What an advisory says of one package. Rejected and withdrawn ones say nothing.
create table advisory_rules (
  ecosystem text not null,
  package text not null,
  feed text not null,
  key text not null,
  advisory_id text not null,
  cve_ids text[] not null,
  is_disputed boolean not null,
  rules json not null,
  primary key (ecosystem, package, feed, key)
);
create index advisory_rules_of_advisory on advisory_rules (feed, key);

create table exploited_cves (
  cve_id text primary key,
  added_on date not null,
  due_on date,
  is_by_ransomware boolean not null,
  generation bigint not null
);

create table cve_likelihoods (
  cve_id text primary key,
  epss real not null,
  percentile real not null,
  generation bigint not null
);
create index cve_likelihoods_changed on cve_likelihoods (generation);

-- Until when a product's releases are maintained.
create table lifecycles (
  product text primary key,
  body json not null
);

-- Which packages and which vulnerabilities a generation changed.
create table catalogue_changes (
  generation bigint not null,
  -- empty beside a CVE id
  ecosystem text not null,
  name text not null,
  primary key (generation, ecosystem, name)
);

-- What is being read of a file, before it is taken. Unlogged: a crash of the database server forgets it, and the file
-- is read again.
create unlogged table staged_entries (
  load uuid not null,
  key text not null,
  -- as it is in the catalogue already: nothing else is kept
  is_unchanged boolean not null default false,
  -- in the catalogue and not in the file
  is_gone boolean not null default false,
  digest bytea,
  id text,
  state text,
  is_disputed boolean,
  cve_ids text[],
  names text[],
  severity text,
  body json,
  packages json,
  staged_at timestamptz not null default clock_timestamp(),
  primary key (load, key)
);
create index staged_entries_by_age on staged_entries (staged_at);

grant select on advisory_feeds, advisory_parts, catalogue, advisories, advisory_names, advisory_rules, exploited_cves,
  cve_likelihoods, lifecycles, catalogue_changes to rollcall_app;
grant select, insert, update, delete on advisory_feeds, advisory_parts, catalogue, advisories, advisory_names,
  advisory_rules, exploited_cves, cve_likelihoods, lifecycles, catalogue_changes, staged_entries to rollcall_system;

-- A person turns a feed on or asks for it: the two things that reach the engines' tables from a tenant. The verbs
-- that call them ask for the permission.
create function set_feed_enabled(feed text, enabled boolean) returns void
  language sql security definer set search_path = public, pg_temp
  begin atomic
    insert into advisory_feeds (name, is_enabled) values (feed, enabled)
    on conflict (name) do update set is_enabled = excluded.is_enabled, next_at = null, failures = 0;
  end;
create function request_feed_sync(feed text) returns void
  language sql security definer set search_path = public, pg_temp
  begin atomic
    insert into advisory_feeds (name, requested_at) values (feed, clock_timestamp())
    on conflict (name) do update set requested_at = excluded.requested_at;
  end;
select run_as_system('set_feed_enabled(text, boolean)'), run_as_system('request_feed_sync(text)');
revoke execute on function set_feed_enabled(text, boolean), request_feed_sync(text) from public;
grant execute on function set_feed_enabled(text, boolean), request_feed_sync(text) to rollcall_app, rollcall_system;
