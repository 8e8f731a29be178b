-- Files are attached to controls of frameworks too, as what an attestation rests on: `control` is the slug of the
-- framework and the id of the control with a space between them.
alter table attachments add column control text;
do $$
declare it text;
begin
  select conname into strict it from pg_constraint
  where conrelid = 'attachments'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) like '%asset_id IS NULL%contract_id IS NULL%';
  execute format('alter table attachments drop constraint %I', it);
end $$;
alter table attachments add constraint attachments_of_one check (num_nonnulls(asset_id, contract_id, control) = 1);
create index attachments_of_control on attachments (tenant_id, control) where control is not null;
