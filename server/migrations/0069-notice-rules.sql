-- What a person wants to be told about, where and when.
create table notice_rules (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  event_types text[] not null,
  -- Kinds of open items, such as feed_failing.
  item_kinds text[] not null,
  -- On events, in the condition language; empty: all.
  condition text not null,
  -- Null: mail to the person.
  channel_id uuid,
  digest text not null check (digest in ('now', 'hourly', 'daily')),
  active boolean not null default true,
  -- Why it was switched off by itself.
  disabled_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index notice_rules_of_person on notice_rules (tenant_id, user_id, created_at desc, id desc);
select protect_table('notice_rules');

-- Events that a rule may be about, until its condition has been asked.
create table notice_rule_events (
  tenant_id uuid not null,
  rule_id uuid not null,
  event_id uuid not null,
  type text not null,
  body jsonb not null,
  occurred_at timestamptz not null,
  primary key (tenant_id, rule_id, event_id),
  foreign key (tenant_id, rule_id) references notice_rules (tenant_id, id) on delete cascade
);
select protect_table('notice_rule_events');

-- Open items that a rule has seen: each is told once until it has gone and come back.
create table notice_rule_items (
  tenant_id uuid not null,
  rule_id uuid not null,
  item_key text not null,
  since timestamptz not null,
  primary key (tenant_id, rule_id, item_key),
  foreign key (tenant_id, rule_id) references notice_rules (tenant_id, id) on delete cascade
);
select protect_table('notice_rule_items');

-- What a rule will tell: removed in the transaction that writes the notice.
create table notice_rule_entries (
  tenant_id uuid not null,
  rule_id uuid not null,
  id uuid not null,
  subject text not null,
  link text,
  at timestamptz not null,
  due_at timestamptz not null,
  primary key (tenant_id, rule_id, id),
  foreign key (tenant_id, rule_id) references notice_rules (tenant_id, id) on delete cascade
);
create index notice_rule_entries_due on notice_rule_entries (due_at, tenant_id);
select protect_table('notice_rule_entries');

-- When a person wants to be left alone, and when digests come.
create table notice_preferences (
  tenant_id uuid not null,
  user_id uuid not null,
  -- IANA
  zone text not null,
  -- Minutes since local midnight; both null: never quiet.
  quiet_from integer check (quiet_from between 0 and 1439),
  quiet_until integer check (quiet_until between 0 and 1439),
  digest_hour integer not null check (digest_hour between 0 and 23),
  -- When the next mail about what waits is due; null: none is wanted.
  next_summary_at timestamptz,
  primary key (tenant_id, user_id)
);
select protect_table('notice_preferences');
