-- Who wrote last when: for some seconds their reads are not answered by a replica, on no node.
create table recent_writers (
  actor_id uuid primary key,
  wrote_at timestamptz not null
) with (fillfactor = 50);
grant select, insert, update, delete on recent_writers to rollcall_system;
