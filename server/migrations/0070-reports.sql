-- Reports print where an asset is found in the app.
grant select (address, host, started_at, beat_at) on nodes to rollcall_app;
