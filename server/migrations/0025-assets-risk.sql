-- The order in which people look for what is most at risk; the score is written rarely.
create index assets_by_risk on assets (tenant_id, risk_score, id);
