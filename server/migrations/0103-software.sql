-- Software that the tenant forbids, and software that it allows, by patterns of name and vendor (`*` stands for any
-- text; an empty name or vendor is any). `pattern` is both as LIKE reads them: the normalized name, U+001F, the vendor
-- in lower case.
create table software_list_entries (
  tenant_id uuid not null,
  list text not null check (list in ('forbidden', 'allowed')),
  pattern text not null,
  name text not null,
  vendor text not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (tenant_id, list, pattern),
  check (name <> '' or vendor <> '')
);
select protect_table('software_list_entries');
