import pg from 'pg'
import type { DatabaseAddress } from '#platform/database/address.ts'
import type { Preparation } from '../scratch-installation.ts'

/**
 * What checks ask about of a seeded estate, so that about one answer in ten is not in order: assets seen within days,
 * ports and services of a login, certificates, weights, feeds that were read today, findings younger than their limits. Moments are spread over the day,
 * as those of real estates are.
 */
export async function fillFacts(superuser: DatabaseAddress, tenantId: string): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement, [tenantId])
    await client.query('vacuum (freeze, analyze)')
  } finally {
    await client.end()
  }
}

/** An estate that checks ask about, as it is kept for the next time. */
export const withFacts = (say: (text: string) => void): Preparation => ({
  name: 'facts',
  recipe: [import.meta.filename],
  async run(_, superuser, tenantId) {
    say('filling in what checks ask about')
    await fillFacts(superuser, tenantId)
  },
})

/** Also where the rest was filled in days ago: without it nothing is known of vulnerabilities. */
export async function readFeedsNow(superuser: DatabaseAddress): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query(`update advisory_feeds set is_enabled = true, synced_at = now() where name = 'nvd'`)
  } finally {
    await client.end()
  }
}

const statements: readonly string[] = [
  `update assets a set
     last_seen = now() - (row % 5) * interval '1 hour', stale_since = null, confidence = 0.9, risk_score = row % 85,
     booted_at = now() - (row % 66) * interval '1 day' - (row % 1439) * interval '1 minute', bios_version = '1.' || row % 9,
     device_type = coalesce(nullif(a.device_type, 'unknown'), case when row % 3 = 0 then 'server' else 'workstation' end),
     source_kinds = array['agent'], stale_after_days = 30,
     known_ports = null, open_ports = case when row % 40 = 0 then array[22, 23, 443] else array[22, 443] end,
     services = case when row % 20 = 0 then array['spooler'] else array['windefend', 'w32time', 'chronyd', 'rsyslog', 'veeamagent'] end,
     smb_signing = case when row % 15 = 0 then 'enabled' else 'required' end, smb_dialect = '3.1.1', snmp_version = 3,
     tools_state = 'running', certificates = jsonb_build_array(jsonb_build_object(
       'ends', now() + (row % 400) * interval '1 day' + (row % 1439) * interval '1 minute', 'isSelfSigned', row % 30 = 0, 'isShown', true)),
     is_disk_encrypted = row % 25 <> 0, is_firewall_on = row % 35 <> 0, is_antivirus_on = true,
     is_guest_enabled = row % 45 = 0, is_default_admin_enabled = row % 12 = 0, has_second_root = false, has_mfa = row % 9 <> 0
   from (select id, row_number() over (order by id) as row from assets where tenant_id = $1) numbered
   where a.tenant_id = $1 and a.id = numbered.id`,
  `update findings set found_at = now() - (hashtext(id::text) & 1023) % 32 * interval '1 day'
     - (hashtext(id::text) >> 10 & 65535) * interval '1.3 seconds', changed_at = now()
   where tenant_id = $1`,
  `update software_sets set reported_at = now() where tenant_id = $1`,
  `update asset_observations set last_seen = now() where tenant_id = $1`,
  `insert into asset_weights (tenant_id, asset_id, criticality, exposure, criticality_said)
   select $1, id, case when row % 10 = 0 then 'critical' else 'normal' end,
     case when row % 7 = 0 then 'internet' else 'isolated' end, row % 11 <> 0
   from (select id, row_number() over (order by id) as row from assets where tenant_id = $1) a`,
]
