import type { EventType } from '#features/events/events.ts'
import { unreachable } from '#platform/errors.ts'

type Payload = Readonly<Record<string, unknown>>

/** One line about an event, and where the app shows what it is about. */
export function eventText(
  type: EventType,
  payload: Payload,
): { readonly subject: string; readonly link: string | null } {
  const said = (name: string): string => {
    const value = payload[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const asset = said('asset_id') || said('asset_id_a')
  const link = asset === '' ? null : `/assets/${asset}`
  switch (type) {
    case 'NEW_ASSET':
      return { subject: `New asset: ${said('asset_name') || asset}`, link }
    case 'UPDATED_ASSET':
      return { subject: `Asset changed: ${said('asset_name') || asset}`, link }
    case 'DELETED_ASSET':
      return { subject: `Asset deleted: ${said('asset_name') || asset} (${said('reason')})`, link: '/assets' }
    case 'VULNERABILITY_FOUND':
      return { subject: `New ${said('severity')} finding: ${said('cve_id')}`, link }
    case 'SCAN_COMPLETED':
      return {
        subject: `Scan of ${said('target')} completed: ${said('asset_count')} assets`,
        link: `/scans/${said('scan_id')}`,
      }
    case 'EXPORT_COMPLETED':
      return { subject: `Ready: ${said('filename') || said('kind')}`, link: exportLink(said) }
    case 'COMPLIANCE_UPDATED':
      return {
        subject: `${said('framework')} ${said('control_id')}: ${said('previous_status')} → ${said('status')}`,
        link: `/compliance/${said('framework')}`,
      }
    case 'UNLINK':
      return { subject: `Assets separated: ${said('asset_id_a')} and ${said('asset_id_b')}`, link }
    case 'NEW_SOURCE':
      return { subject: `New source: ${said('name')}`, link: '/' }
    case 'FLOW_TRIGGERED':
      return { subject: `A flow was started by ${said('event_type')}`, link: `/flows/${said('flow_id')}` }
    default:
      return unreachable(type)
  }
}

/** To what was exported: assets, what a framework asks for, or a report. */
function exportLink(said: (name: string) => string): string {
  if (said('kind') === 'assets') return '/assets'
  if (said('framework')) return `/compliance/${said('framework')}`
  return said('resource_id') ? `/reports/${said('resource_id')}` : '/reports'
}
