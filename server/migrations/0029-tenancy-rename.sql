-- A tenant gives itself another name; its id and its slug it cannot change.
grant update (name) on tenants to rollcall_app;
