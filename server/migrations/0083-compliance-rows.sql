-- What a row of a statement of applicability also says, and exceptions of assets that meet a condition, with an owner.
alter table compliance_statement_rows
  add column evidence text not null default '', -- where it is found
  add column risks text not null default '', -- that the control treats
  add column reviewed_on date,
  add column next_review_on date;

alter table compliance_exceptions
  add column condition text, -- of assets that meet it when they are judged
  add column owner text not null default '', -- who brings the assets in order
  add constraint compliance_exceptions_one_scope
    check (num_nonnulls(asset_id, tag, condition) <= 1);
