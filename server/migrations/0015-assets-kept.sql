-- What older sightings said and no newer one mentions, the newest first: [{"seenAt": milliseconds, "hash": base64, "payload": {}}].
alter table asset_observations add column kept jsonb not null default '[]';
