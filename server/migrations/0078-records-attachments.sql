-- Files that people attach to assets and contracts. A file counts when all of its bytes have arrived: `received` is
-- `bytes` then, and the media type and the digest are known. The rows of an asset go to the survivor of a merge, so
-- nothing leads to `assets` that would delete them first.
create table attachments (
  tenant_id uuid not null,
  id uuid not null,
  upload_key text not null,
  asset_id uuid,
  contract_id uuid,
  name text not null,
  bytes integer not null check (bytes > 0),
  received integer not null default 0 check (received between 0 and bytes),
  media_type text,
  digest text, -- SHA-256, in hexadecimal
  added_by text not null,
  added_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, upload_key),
  foreign key (tenant_id, contract_id) references contracts (tenant_id, id) on delete cascade,
  check ((asset_id is null) <> (contract_id is null)),
  check ((received = bytes) = (digest is not null) and (digest is null) = (media_type is null))
);
create index attachments_of_asset on attachments (tenant_id, asset_id) where asset_id is not null;
create index attachments_of_contract on attachments (tenant_id, contract_id) where contract_id is not null;
select protect_table('attachments');

create table attachment_chunks (
  tenant_id uuid not null,
  attachment_id uuid not null,
  position integer not null, -- of the first byte in the file
  content bytea not null,
  primary key (tenant_id, attachment_id, position),
  foreign key (tenant_id, attachment_id) references attachments (tenant_id, id) on delete cascade
);
-- most files are compressed already
alter table attachment_chunks alter column content set storage external;
select protect_table('attachment_chunks');
