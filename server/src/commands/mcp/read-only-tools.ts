/** What an assistant may ask. Each is a GET of the REST API, so that none can change anything. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** Below /api/v1; `{id}` is taken from the arguments. */
  readonly path: string
  readonly properties: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

interface Property {
  readonly type: 'string' | 'integer'
  readonly description: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

/** An assistant reads what it is given: few at a time. */
export const LIMIT_MAX = 100

const paging: Readonly<Record<string, Property>> = {
  limit: { type: 'integer', minimum: 1, maximum: LIMIT_MAX, description: '20 unless given' },
  offset: { type: 'integer', minimum: 0, description: 'leave out so many' },
}
const text = (description: string): Property => ({ type: 'string', description })
const id: Readonly<Record<string, Property>> = { id: text('its id, a UUID') }

export const readOnlyTools: readonly Tool[] = [
  {
    name: 'list_assets',
    description: 'Assets of the inventory, the latest seen first.',
    path: '/assets',
    properties: {
      ...paging,
      search: text('anywhere in id, host name, IP address or serial number'),
      where: text(
        'a condition, such as: os:windows and last_seen < -30d; any finding(severity = critical); any software(name = openssl)',
      ),
    },
  },
  {
    name: 'get_asset',
    description: 'One asset.',
    path: '/assets/{id}',
    properties: id,
    required: ['id'],
  },
  {
    name: 'list_asset_relations',
    description: 'What an asset runs on, contains, depends on and is connected to.',
    path: '/assets/{id}/relations',
    properties: id,
    required: ['id'],
  },
  {
    name: 'list_vulnerabilities',
    description: 'Open findings: what is vulnerable on which asset.',
    path: '/vulnerabilities',
    properties: {
      ...paging,
      severity: {
        type: 'string',
        enum: ['critical', 'high', 'medium', 'low', 'informational'],
        description: 'only of this severity',
      },
      where: text('a condition on findings, such as: asset.name = "mail-1"; exploited = yes'),
    },
  },
  {
    name: 'get_vulnerability',
    description: 'One finding.',
    path: '/vulnerabilities/{id}',
    properties: id,
    required: ['id'],
  },
  {
    name: 'list_changes',
    description: 'What changed in the estate, the latest first.',
    path: '/changes',
    properties: {
      ...paging,
      since: text('an instant, RFC 3339'),
      until: text('an instant, RFC 3339'),
      asset: text('id of an asset'),
    },
  },
  {
    name: 'list_scans',
    description: 'Scans and how they went, newest first.',
    path: '/scans',
    properties: paging,
  },
  {
    name: 'list_reports',
    description: 'Reports and how their latest generation went.',
    path: '/reports',
    properties: paging,
  },
]
