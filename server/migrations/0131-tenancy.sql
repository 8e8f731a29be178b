-- In which order a person reads the tiles of the overview, and which of them not at all.
create table overview_layouts (
  tenant_id uuid not null,
  user_id uuid not null,
  tiles text[] not null,
  hidden text[] not null,
  primary key (tenant_id, user_id)
);
select protect_table('overview_layouts');
