import { expect, test } from 'vitest'
import type { EventType } from '#features/events/events.ts'
import { eventText } from './event-text.ts'

const told: readonly (readonly [EventType, Record<string, unknown>, string, string])[] = [
  ['NEW_ASSET', { asset_id: 'a1', asset_name: 'web-1' }, 'New asset: web-1', '/assets/a1'],
  ['NEW_ASSET', { asset_id: 'a1', asset_name: '' }, 'New asset: a1', '/assets/a1'],
  ['UPDATED_ASSET', { asset_id: 'a1', asset_name: 'web-1' }, 'Asset changed: web-1', '/assets/a1'],
  [
    'DELETED_ASSET',
    { asset_id: 'a1', asset_name: 'web-1', reason: 'merged' },
    'Asset deleted: web-1 (merged)',
    '/assets',
  ],
  [
    'VULNERABILITY_FOUND',
    { asset_id: 'a1', severity: 'high', cve_id: 'CVE-2024-0001' },
    'New high finding: CVE-2024-0001',
    '/assets/a1',
  ],
  [
    'SCAN_COMPLETED',
    { scan_id: 's1', target: '10.0.0.0/24', asset_count: 0 },
    'Scan of 10.0.0.0/24 completed: 0 assets',
    '/scans/s1',
  ],
  ['EXPORT_COMPLETED', { kind: 'assets' }, 'Ready: assets', '/assets'],
  [
    'EXPORT_COMPLETED',
    { kind: 'report', filename: 'audit.pdf', resource_id: 'r1' },
    'Ready: audit.pdf',
    '/reports/r1',
  ],
  [
    'EXPORT_COMPLETED',
    { kind: 'statement_of_applicability', filename: 's.pdf', resource_id: 'u1', framework: 'nis2' },
    'Ready: s.pdf',
    '/compliance/nis2',
  ],
  [
    'COMPLIANCE_UPDATED',
    { framework: 'nis2', control_id: '21.2.a', previous_status: 'pass', status: 'fail' },
    'nis2 21.2.a: pass → fail',
    '/compliance/nis2',
  ],
  ['UNLINK', { asset_id_a: 'a1', asset_id_b: 'a2' }, 'Assets separated: a1 and a2', '/assets/a1'],
  ['NEW_SOURCE', { name: 'stock list' }, 'New source: stock list', '/'],
  ['FLOW_TRIGGERED', { flow_id: 'f1', event_type: 'manual' }, 'A flow was started by manual', '/flows/f1'],
]

test.each(told)('%s of %j says "%s" and leads to %s', (type, payload, subject, link) => {
  expect(eventText(type, payload)).toEqual({ subject, link })
})
