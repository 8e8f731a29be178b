-- Deliveries may be inserted as claimed by the worker of the process that inserts them, in the tenant's own transaction.
grant usage on webhook_claims to rollcall_app;
