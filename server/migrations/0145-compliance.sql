-- Who answers for the exception: a member, as called when it was made. Null: it was made before, or by a key.
alter table compliance_exceptions add column owner_id uuid, add column owner_name text;
update compliance_exceptions e set owner_id = u.id, owner_name = e.created_by_name
  from users u where u.id::text = e.created_by;
