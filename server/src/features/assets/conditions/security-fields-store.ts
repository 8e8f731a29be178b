import { sql, type RawBuilder } from 'kysely'
import type { FieldType } from '#platform/conditions/field.ts'
import type { PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** How assets (`a`) are protected, and how much is known of them. */

const field = (
  name: string,
  type: FieldType,
  column: RawBuilder<unknown>,
  [sentence, source]: readonly [string, string],
): PartField => ({ name, type, sentence, source, sql: column })

const sweeps = 'sweeps'
const agents = 'agents'

const protection: readonly PartField[] = [
  field('smb_signing', 'text', sql`a.smb_signing`, [
    'Whether its file service signs: required, offered or off.',
    sweeps,
  ]),
  field('smb_dialect', 'text', sql`a.smb_dialect`, [
    'The newest dialect of SMB that its file service speaks, such as 3.1.1.',
    sweeps,
  ]),
  field('snmp_version', 'number', sql`a.snmp_version`, [
    'The version of SNMP that it answered: 1, 2 or 3.',
    'SNMP scans',
  ]),
  field('tools', 'text', sql`a.tools_state`, [
    'Of a virtual machine, whether the tools of the hypervisor run: running or notrunning.',
    'vSphere',
  ]),
  field('default_community', 'bool', sql`a.has_default_community`, [
    'Whether the community of SNMP that it answered is one that makers set, such as public. Others are not tried.',
    'SNMP scans with a community',
  ]),
  field('disk_encrypted', 'bool', sql`a.is_disk_encrypted`, [
    'Whether an encrypted volume is in use.',
    agents,
  ]),
  field('firewall', 'bool', sql`a.is_firewall_on`, ['Whether its own firewall is switched on.', agents]),
  field('antivirus', 'bool', sql`a.is_antivirus_on`, [
    'Whether a malware protection is seen running.',
    agents,
  ]),
  field('guest_enabled', 'bool', sql`a.is_guest_enabled`, [
    'Whether the guest account of Windows is switched on, whatever its name.',
    'scans that log in to Windows',
  ]),
  field('default_admin_enabled', 'bool', sql`a.is_default_admin_enabled`, [
    'Whether the built-in administrator of Windows is switched on, whatever its name.',
    'scans that log in to Windows',
  ]),
  field('second_root', 'bool', sql`a.has_second_root`, [
    'Whether an account other than root has the number 0.',
    'scans that log in by SSH, and our agent',
  ]),
  field('mfa', 'bool', sql`a.has_mfa`, [
    'Of a person\u2019s account, whether a second factor is asked for.',
    'a connection to a directory, which there is none of yet',
  ]),
  field('signed_in', 'instant', sql`a.signed_in_at`, [
    'Of a person\u2019s account, when its owner signed in last.',
    'a connection to a directory, which there is none of yet',
  ]),
  field(
    'listening_count',
    'number',
    sql`(case when a.known_ports is null then cardinality(a.open_ports) end)`,
    ['On how many TCP ports it listens for others.', 'scans that log in, and agents'],
  ),
]

/** Sources that read hardware and system; the others see it from outside, or are lists that people keep. */
const READING_KINDS = [
  'ssh',
  'wmi',
  'snmp',
  'vmware',
  'hypervisor',
  'agent',
  'glpi',
  'fusioninventory',
  'ocs',
  'osquery',
  'ansible',
  'aws',
  'azure',
  'gcp',
]

const knowledge = (ctx: Ctx): readonly PartField[] => [
  field(
    'inventoried',
    'bool',
    sql`(case when a.source_kinds && array[${sql.join(READING_KINDS.map((it) => sql.lit(it)))}] then true end)`,
    [
      'Whether a source reads its hardware and system: then what that did not tell is absent, else it is unknown. Never no.',
      'scans that log in, SNMP, hypervisors, agents and clouds',
    ],
  ),
  field('sources', 'number', sql`coalesce(cardinality(a.source_names), 0)`, [
    'How many sources report it.',
    'every source',
  ]),
  field(
    'duplicate_count',
    'number',
    sql`(select count(*) from asset_candidates dc
      join asset_observations da on da.tenant_id = ${ctx.tenantId} and da.id = dc.a
      join asset_observations db on db.tenant_id = ${ctx.tenantId} and db.id = dc.b
      where dc.tenant_id = ${ctx.tenantId} and dc.veto is null and da.asset_id <> db.asset_id
        and a.id in (da.asset_id, db.asset_id))`,
    ['How many other assets may be the same.', 'recognition of what reports belong together'],
  ),
]

export const securityFields = (ctx: Ctx): readonly PartField[] => [...protection, ...knowledge(ctx)]
