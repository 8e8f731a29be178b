import { Drawer } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AuditRow } from '#api/generated/audit.ts'
import { exactly } from '#lib/dates.ts'
import { spaced } from '#lib/in-words.ts'
import layout from '#ui/details.module.css'
import { JsonBlock } from '#ui/json-block.tsx'
import styles from './audit-drawer.module.css'
import { changesIn, subjectsIn } from './audit-details.ts'
import type { AuditSearch } from './audit-search-params.ts'
import { AuditSubject, AuditSubjects } from './audit-subject.tsx'
import { actionInWords, subjectInWords } from './audit-words.ts'

interface AuditDrawerProps {
  readonly entry: AuditRow | undefined
  /** What the log is narrowed to. */
  readonly search: AuditSearch
  readonly onClose: () => void
}

/** All fields of one audit entry. */
export function AuditDrawer({ entry, search, onClose }: AuditDrawerProps) {
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={entry && actionInWords(entry.action)}
    >
      {entry && <Detail entry={entry} search={search} onLeave={onClose} />}
    </Drawer>
  )
}

interface DetailProps {
  readonly entry: AuditRow
  readonly search: AuditSearch
  readonly onLeave: () => void
}

function Detail({ entry, search, onLeave }: DetailProps) {
  return (
    <div className={layout['body']}>
      <dl className={layout['facts']}>
        <dt>Action</dt>
        <dd>
          <code>{entry.action}</code>{' '}
          <Link to="/audit" search={{ ...search, about: entry.action }} onClick={onLeave}>
            Only entries like this
          </Link>
        </dd>
        <dt>When</dt>
        <dd>{exactly(entry.at)}</dd>
        <dt>Who</dt>
        <dd>
          {entry.actorName ?? entry.actorId} ({spaced(entry.actorKind)})
        </dd>
        <dt>From</dt>
        <dd>{entry.address ?? 'the product itself'}</dd>
        <dt>About</dt>
        <dd>
          {entry.subjectId !== '' && subjectInWords(entry.subjectType)} <AuditSubject entry={entry} />{' '}
          <code>{entry.subjectId}</code>
        </dd>
        <dt>Entry</dt>
        <dd>
          <code>{entry.id}</code>
        </dd>
      </dl>
      {subjectsIn(entry.details).length > 0 && (
        <section>
          <h3 className={layout['part']}>About each of</h3>
          <AuditSubjects entry={entry} />
        </section>
      )}
      <Changes details={entry.details} />
      <section>
        <h3 className={layout['part']}>As recorded</h3>
        <JsonBlock label="Details" value={entry.details} />
      </section>
    </div>
  )
}

function Changes({ details }: { readonly details: unknown }) {
  const changes = changesIn(details)
  if (changes.length === 0) return null
  return (
    <section>
      <h3 className={layout['part']}>Changes</h3>
      <table className={styles['changes']}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={styles['before']}>{before}</td>
              <td className={styles['after']}>{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
