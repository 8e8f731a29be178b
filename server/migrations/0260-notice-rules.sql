-- Events name the rules that may be about them, so that all others cost these nothing.
insert into event_subscriptions (tenant_id, event_type, subscriber)
  select distinct tenant_id, t, 'notice-rules' from notice_rules, unnest(event_types) t where active
  on conflict do nothing;
