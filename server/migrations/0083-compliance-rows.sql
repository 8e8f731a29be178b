-- What a row of a statement of applicability also says.
alter table compliance_statement_rows
  add column evidence text not null default '', -- where it is found
  add column risks text not null default '', -- that the control treats
  add column reviewed_on date,
  add column next_review_on date;
