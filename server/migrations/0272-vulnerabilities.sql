-- Whether nothing tells what the distribution of the asset built, so that its mended library may be taken for the
-- registry's. Of the finding: of the surest of its matches. What was found before is judged when its asset is matched next.
alter table finding_attributions add column is_unconfirmed boolean not null default false;
alter table findings add column is_unconfirmed boolean not null default false;
