-- Modules of Go and actions of GitHub are looked up in small letters since 0225, and records that were read before have the
-- capitals of their publishers: a feed that only reads what changed would keep them. Two spellings in one record become one.
with spelled as (
  delete from advisory_rules r
  where r.ecosystem in ('Go', 'GitHub Actions') and exists (
    select from advisory_rules o
    where o.feed = r.feed and o.key = r.key and o.ecosystem = r.ecosystem
      and lower(o.package collate "C") = lower(r.package collate "C") and o.package <> lower(o.package collate "C"))
  returning ecosystem, lower(package collate "C") as package, feed, key, advisory_id, cve_ids, is_disputed, rules
)
insert into advisory_rules (ecosystem, package, feed, key, advisory_id, cve_ids, is_disputed, rules)
select s.ecosystem, s.package, s.feed, s.key, s.advisory_id, s.cve_ids, s.is_disputed, json_agg(e.rule)
from spelled s cross join json_array_elements(s.rules) as e (rule)
group by s.ecosystem, s.package, s.feed, s.key, s.advisory_id, s.cve_ids, s.is_disputed;
