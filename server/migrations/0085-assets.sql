-- Which language the stored conditions are written in follows from the migrations that ran (docs/decisions/0067).
alter table asset_views drop column language_version;
alter table asset_groups drop column language_version;
