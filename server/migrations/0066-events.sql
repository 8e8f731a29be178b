-- Which features want to hear of which events of the tenant, beside those that hear of all; read in the statement that
-- stores an event.
create table event_subscriptions (
  tenant_id uuid not null,
  event_type text not null,
  subscriber text not null,
  primary key (tenant_id, event_type, subscriber)
);
select protect_table('event_subscriptions');
insert into event_subscriptions (tenant_id, event_type, subscriber)
  select distinct tenant_id, event_type, 'flows.triggers' from flow_event_triggers;
