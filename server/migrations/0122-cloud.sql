-- Costs, as the cost APIs of providers tell them. Asking costs money at some providers, so it is off unless switched on.
alter table cloud_connections
  add column reads_costs boolean not null default false,
  -- Since when a job that will read them is waiting.
  add column costs_queued_at timestamptz;

-- How the reading of costs of one account went.
create table cloud_cost_accounts (
  tenant_id uuid not null,
  connection_id uuid not null,
  account text not null,
  account_name text not null default '',
  -- What the latest reading came to.
  status text not null check (status in ('complete', 'partial', 'failed')),
  reason text not null default '',
  finished_at timestamptz not null,
  completed_at timestamptz,
  -- Days before this one are not asked for again: providers correct costs for some time.
  settled_until date,
  primary key (tenant_id, connection_id, account),
  foreign key (tenant_id, connection_id) references cloud_connections (tenant_id, id) on delete cascade
);
select protect_table('cloud_cost_accounts');

-- What an account costs in a month, with everything that is no resource of the inventory: traffic, disks, support.
create table cloud_cost_months (
  tenant_id uuid not null,
  provider text not null,
  account text not null,
  month date not null,
  currency text not null,
  connection_id uuid not null,
  amount numeric(16, 2) not null,
  -- Amounts by day, where the provider tells days of a short time back alone; the amount is their sum.
  days jsonb not null default '{}',
  -- The first and the last day of the month that are in it.
  known_from date not null,
  known_until date not null,
  primary key (tenant_id, provider, account, month, currency),
  foreign key (tenant_id, connection_id) references cloud_connections (tenant_id, id) on delete cascade
);
create index cloud_cost_months_of_connection on cloud_cost_months (tenant_id, connection_id);
select protect_table('cloud_cost_months');

-- What one resource costs in a month.
create table cloud_costs (
  tenant_id uuid not null,
  resource_id uuid not null,
  month date not null,
  currency text not null,
  amount numeric(16, 2) not null,
  days jsonb not null default '{}',
  primary key (tenant_id, resource_id, month, currency),
  foreign key (tenant_id, resource_id) references cloud_resources (tenant_id, id) on delete cascade
);
select protect_table('cloud_costs');

-- Costs of machines are told by the ids of machines.
create index cloud_resources_of_machine on cloud_resources (tenant_id, machine_id) where machine_id <> '';
