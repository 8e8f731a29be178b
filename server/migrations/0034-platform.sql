-- Where a process that serves requests is reached: for links that other processes make. Null: it serves none.
alter table nodes add column address text;
