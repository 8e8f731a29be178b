/** Conditions as people write them, each with the same question in plain SQL over `assets a`, to count what is right. */
export interface MeasuredCondition {
  readonly text: string
  readonly plainly: string
}

const finding = (condition: string): string =>
  `exists (select from findings f join vulnerabilities v using (tenant_id, cve_id)
    where f.tenant_id = $1 and f.asset_id = a.id and f.status = 'open' and ${condition})`

const software = (condition: string): string =>
  `exists (select from asset_observations o join software_sets t on t.tenant_id = $1 and t.observation_id = o.id
    join software s on s.tenant_id = $1 and s.id = any (t.ids)
    where o.tenant_id = $1 and o.asset_id = a.id and ${condition})`

const record = (condition: string): string =>
  `exists (select from asset_records r where r.tenant_id = $1 and r.asset_id = a.id and ${condition})`

const open = `(select count(*) from findings f where f.tenant_id = $1 and f.asset_id = a.id and f.status = 'open')`

const windows = `lower(os) like '%windows%'`

export const measuredConditions: readonly MeasuredCondition[] = [
  { text: 'os:windows', plainly: windows },
  { text: 'os:windows and asset_type = device', plainly: `${windows} and asset_type = 'device'` },
  { text: 'tag = prod and os_family = linux', plainly: `'prod' = any (tags) and os ~ '^(Debian|Ubuntu)'` },
  { text: 'not has os', plainly: `os = ''` },
  { text: 'has serial and vendor = lenovo', plainly: `serial <> '' and vendor = 'Lenovo'` },
  { text: 'ip = 10.0.0.0/12', plainly: `inet(ip_address) <<= '10.0.0.0/12'` },
  {
    text: 'owner = "team 7" and not os:windows',
    plainly: `${record(`r.owner = 'Team 7'`)} and os <> '' and not ${windows}`,
  },
  { text: 'hostname:srv-ber', plainly: `hostname like '%srv-ber%'` },
  { text: 'name:lap- and not os:windows', plainly: `name like '%lap-%' and os <> '' and not ${windows}` },
  {
    text: 'type in (virtual_machine, hypervisor)',
    plainly: `asset_type in ('virtual_machine', 'hypervisor')`,
  },
  {
    text: 'warranty_ends < 2026-06-01 and state = in_use',
    plainly: record(`r.warranty_ends < '2026-06-01' and r.state = 'in_use'`),
  },
  { text: 'seen < 2025-12-31', plainly: `last_seen < '2025-12-31'` },
  {
    text: 'seen < 2025-12-31 and os:windows and risk < 10',
    plainly: `last_seen < '2025-12-31' and ${windows} and risk_score < 10`,
  },
  {
    text: 'cpus >= 12 and port = 443',
    plainly: `(select (payload->'facts'->>'cores')::int >= 12 from asset_observations o where o.tenant_id = $1 and o.asset_id = a.id)`,
  },
  { text: 'open_findings > 4 or tag = pci', plainly: `'pci' = any (tags) or ${open} > 4` },
  { text: 'any finding(severity = critical)', plainly: finding(`f.severity = 'critical'`) },
  {
    text: 'os:"windows server" and seen < -30d and any finding(severity = critical and kev = yes)',
    plainly: `lower(os) like '%windows server%' and ${finding(`f.severity = 'critical' and v.kev_added_on is not null`)}`,
  },
  { text: 'any finding(cve = cve-2025-10050)', plainly: finding(`f.cve_id = 'CVE-2025-10050'`) },
  {
    text: 'any software(name = product-7 and version < 4)',
    plainly: software(`s.name = 'Product-7' and split_part(s.version, '.', 1)::int < 4`),
  },
  {
    text: 'asset_type = device and no software(name = product-9)',
    plainly: `asset_type = 'device' and not ${software(`s.name = 'Product-9'`)}`,
  },
]

/** The same over open findings `f` with their assets `a` and the facts `v` of their CVEs. */
export const measuredFindingConditions: readonly MeasuredCondition[] = [
  { text: 'severity = critical', plainly: `f.severity = 'critical'` },
  { text: 'kev = yes and cvss >= 7', plainly: 'v.kev_added_on is not null and f.score >= 70' },
  { text: 'asset.os:windows', plainly: windows },
  {
    text: 'severity in (critical, high) and asset.tag = prod',
    plainly: `f.severity in ('critical', 'high') and 'prod' = any (a.tags)`,
  },
  { text: 'asset.ip = 10.0.0.0/12', plainly: `inet(a.ip_address) <<= '10.0.0.0/12'` },
  { text: 'cve = cve-2025-10050', plainly: `f.cve_id = 'CVE-2025-10050'` },
]
