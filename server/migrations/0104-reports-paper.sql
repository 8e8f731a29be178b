-- How the tenant's reports are printed.
create table report_settings (
  tenant_id uuid primary key,
  paper text not null check (paper in ('a4', 'letter'))
);
select protect_table('report_settings');
