-- The condition of a saved view, and the version of the language that it is written in; null: the view has none. The rest
-- of the view is the app's own.
alter table asset_views add column condition text, add column language_version smallint,
  add check ((condition is null) = (language_version is null));
update asset_views set condition = view ->> 'where', language_version = 1, view = view - 'where'
where jsonb_typeof(view) = 'object' and jsonb_typeof(view -> 'where') = 'string' and view ->> 'where' <> '';
