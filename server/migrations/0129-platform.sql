-- When rollcall backup last wrote a whole file, for the doctor.
alter table installation add column backed_up_at timestamptz;
