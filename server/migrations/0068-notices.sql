-- Where notices go beside the mailboxes of members: chat rooms, push services, receivers of ours, confirmed addresses.
create table notice_channels (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null check (kind in ('mail', 'slack', 'mattermost', 'discord', 'teams', 'ntfy', 'generic')),
  -- {"url": …} and, by kind, "token" or "secret"; of mail {"address": …}
  settings_sealed bytea not null,
  -- What people may see of it: the host, or the address.
  destination text not null,
  active boolean not null default true,
  -- Why it was switched off by itself; a person's switch clears it.
  disabled_reason text,
  -- Of mail: when the person at the address agreed; nothing but the question is sent before.
  confirmed_at timestamptz,
  -- Since when every attempt failed; null: the last one succeeded.
  failing_since timestamptz,
  last_error text,
  last_sent_at timestamptz,
  tested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
select protect_table('notice_channels');

-- One notice, whoever gets it. Written in the transaction of what it is about; sent after the commit.
create table notice_messages (
  tenant_id uuid not null,
  id uuid not null,
  dedupe_key text not null,
  -- What a recipient can unsubscribe from, for example rule:<id>.
  topic text not null,
  subject text not null,
  body text not null,
  -- A path in the app of the tenant.
  link text,
  attachment_name text,
  attachment_type text,
  attachment bytea,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, dedupe_key)
);
create index notice_messages_oldest on notice_messages (created_at);
select protect_table('notice_messages');

-- The outbox: one message for one recipient. `waiting` until sent, given up or set aside.
create table notice_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  recipient_kind text not null check (recipient_kind in ('channel', 'member')),
  recipient_id uuid not null,
  status text not null check (status in ('waiting', 'sent', 'failed', 'dropped')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  leased_until timestamptz,
  -- Which worker has it: one that lost its lease notes nothing.
  lease uuid,
  error text,
  sent_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, message_id, recipient_kind, recipient_id),
  foreign key (tenant_id, message_id) references notice_messages (tenant_id, id) on delete cascade
);
create index notice_deliveries_due on notice_deliveries (next_attempt_at, tenant_id) where status = 'waiting';
create index notice_deliveries_newest on notice_deliveries (tenant_id, created_at desc, id desc);
select protect_table('notice_deliveries');

-- Who wants no more of a topic.
create table notice_unsubscriptions (
  tenant_id uuid not null,
  recipient_kind text not null check (recipient_kind in ('channel', 'member')),
  recipient_id uuid not null,
  topic text not null,
  at timestamptz not null,
  primary key (tenant_id, recipient_kind, recipient_id, topic)
);
select protect_table('notice_unsubscriptions');
