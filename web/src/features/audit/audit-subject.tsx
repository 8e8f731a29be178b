import { Link, type LinkProps } from '@tanstack/react-router'
import type { AuditRow } from '#api/generated/audit.ts'
import { many } from '#lib/numbers.ts'
import { spaced } from '#lib/in-words.ts'
import { nameIn, subjectsIn } from './audit-details.ts'
import styles from './audit-page.module.css'

interface AuditSubjectProps {
  readonly entry: Pick<AuditRow, 'action' | 'subjectType' | 'subjectId' | 'details'>
}

/**
 * The subject of an entry: its name at the time, else its id, with a link; of a bulk action the number of subjects.
 */
export function AuditSubject({ entry }: AuditSubjectProps) {
  const { action, subjectType, subjectId, details } = entry
  const all = subjectsIn(details)
  if (all.length > 0) return many(all.length, spaced(subjectType))
  const link = action.endsWith('.deleted') ? undefined : linkTo(subjectType, subjectId)
  return <Named id={subjectId} name={nameIn(details)} link={link} />
}

/** All subjects of a bulk action. */
export function AuditSubjects({ entry }: AuditSubjectProps) {
  const all = subjectsIn(entry.details)
  return (
    <ul>
      {all.map(({ id, name }) => (
        <li key={id}>
          <Named id={id} name={name} link={linkTo(entry.subjectType, id)} />
        </li>
      ))}
    </ul>
  )
}

interface NamedProps {
  readonly id: string
  readonly name: string | undefined
  readonly link: LinkProps | undefined
}

function Named({ id, name, link }: NamedProps) {
  const text = name === undefined ? <span className="mono">{id}</span> : <span title={id}>{name}</span>
  return link ? (
    <Link className={styles['subject']} {...link}>
      {text}
    </Link>
  ) : (
    text
  )
}

/** Link to the screen of a subject, or to the list that contains it. */
function linkTo(type: string, id: string): LinkProps | undefined {
  if (type === 'asset' && id !== '') return { to: '/assets/$assetId', params: { assetId: id } }
  if (type === 'scan' && id !== '') return { to: '/scans/$scanId', params: { scanId: id } }
  if (type === 'import' && id !== '') return { to: '/imports/$importId', params: { importId: id } }
  return LISTED[type]
}

const LISTED: Readonly<Record<string, LinkProps>> = {
  archive_rules: { to: '/archive' },
  asset_group: { to: '/groups' },
  api_key: { to: '/api-keys' },
  credential: { to: '/credentials' },
  feed: { to: '/feeds' },
  host_key: { to: '/host-keys' },
  import: { to: '/imports' },
  invitation: { to: '/people' },
  override: { to: '/overrides' },
  role: { to: '/people' },
  target: { to: '/scans' },
  tenant: { to: '/settings' },
  user: { to: '/people' },
  webhook: { to: '/webhooks' },
  framework: { to: '/compliance' },
  compliance_check: { to: '/compliance' },
  compliance_control: { to: '/compliance' },
  compliance_exception: { to: '/compliance' },
  partner: { to: '/partners' },
  partner_key: { to: '/partners' },
}
