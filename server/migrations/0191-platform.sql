-- An organisation is moved to another installation, a cell. From began_at on engines begin nothing for it, from frozen_at
-- on nothing is written for it, from moved_at on it is served elsewhere and its rows here go.
create table tenant_moves (
  -- of the tenant; the row outlives it
  id uuid primary key,
  slug text not null,
  cell integer not null,
  -- where it is served then
  address text not null,
  began_at timestamptz not null default clock_timestamp(),
  frozen_at timestamptz,
  moved_at timestamptz
);
create index tenant_moves_slug on tenant_moves (slug) where moved_at is not null;
alter table tenant_moves enable row level security;
create policy tenant on tenant_moves for select to rollcall_app using (id = current_tenant());
create policy system on tenant_moves to rollcall_system using (true) with check (true);
grant select on tenant_moves to rollcall_app;
grant select, insert, update, delete on tenant_moves to rollcall_system;

-- Keys of tenants that were moved, by their SHA-256: whoever shows one is told where to go.
create table moved_keys (
  key_hash bytea primary key,
  move_id uuid not null references tenant_moves on delete cascade
);
create index moved_keys_of_move on moved_keys (move_id);
grant select, insert, update, delete on moved_keys to rollcall_system;

alter table tenants
  add column has_moved boolean not null default false,
  drop constraint tenants_closed_demo,
  add constraint tenants_closed check (closed_at is null or is_demo or has_moved);

-- The number of this installation among others; null: it is the only one.
alter table installation add column cell integer check (cell between 0 and 511);

-- Last in each transaction that wrote for a tenant.
create function refuse_moving(tenant uuid) returns boolean
  language plpgsql stable as $$
begin
  if exists (select from tenant_moves where id = tenant and frozen_at is not null) then
    raise exception 'the tenant is being moved' using errcode = 'RCM01';
  end if;
  return true;
end
$$;
