-- How a person reads the app. Null: as their browser says, and dates and numbers as the language has them.
alter table users
  add column language text,
  add column time_zone text,
  add column date_format text,
  add column number_format text;
