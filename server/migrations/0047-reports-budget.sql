-- What replacing a device of a type costs and how long it lasts, where the record of an asset says nothing.
create table replacement_prices (
  tenant_id uuid not null,
  device_type text not null,
  price numeric(14, 2) check (price >= 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  life_months integer check (life_months between 1 and 600),
  primary key (tenant_id, device_type),
  check ((price is null) = (currency is null))
);
select protect_table('replacement_prices');

-- What one unit of a currency was worth on a day, in the currency of reports; typed or imported by people.
create table exchange_rates (
  tenant_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  rate numeric(18, 8) not null check (rate > 0),
  primary key (tenant_id, currency, day)
);
select protect_table('exchange_rates');

-- How the tenant's forecasts are made.
create table budget_settings (
  tenant_id uuid primary key,
  currency text check (currency ~ '^[A-Z]{3}$'), -- null: each price stays in its own
  price_rise numeric(6, 4) not null default 0 check (price_rise between -0.5 and 1) -- a year
);
select protect_table('budget_settings');
