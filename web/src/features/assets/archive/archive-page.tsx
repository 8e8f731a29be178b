import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArchiveRulesDocument } from '#api/generated/archive.ts'
import { ConditionCountDocument } from '#api/generated/conditions.ts'
import { q } from '#api/query-client.ts'
import { many } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { ArchiveRulesForm } from './archive-rules-form.tsx'
import styles from './archive-page.module.css'

/** Rules by which assets are archived, and what is archived. */
export function ArchivePage() {
  const { data, error, refetch } = useQuery(q(ArchiveRulesDocument, {}))
  return (
    <Page
      title="Archive"
      description="Archived assets are out of lists, counts and risk. A source that sees one, or a person, takes it back."
    >
      <Panel title="Archive what no source has seen">
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonBlock label="Loading the rules" />}
        {data && (
          <ArchiveRulesForm
            key={JSON.stringify(data.archiveRules)}
            saved={data.archiveRules}
            kinds={[...new Set(data.sources.map(({ kind }) => kind))].toSorted()}
          />
        )}
      </Panel>
      {/* after the rules, so that it does not move when they come */}
      {data && <WhatIsArchived />}
    </Page>
  )
}

const ARCHIVED = [
  ['By rules within a day', 'archived_by = rule archived_at > -1d'],
  ['By rules within a week', 'archived_by = rule archived_at > -7d'],
  ['By rules', 'archived_by = rule'],
  ['By people', 'archived_by != rule'],
] as const

function WhatIsArchived() {
  return (
    <Panel title="What is archived">
      <ul className={styles['counts']}>
        {ARCHIVED.map(([title, where]) => (
          <ArchivedCount key={where} title={title} where={where} />
        ))}
      </ul>
      <p className={styles['note']}>
        To undo what rules archived, open the list, select all that match and choose Restore.
      </p>
    </Panel>
  )
}

function ArchivedCount({ title, where }: { readonly title: string; readonly where: string }) {
  const { data } = useQuery(q(ConditionCountDocument, { subject: 'asset', where }))
  return (
    <li>
      {title}:{' '}
      {data ? (
        <Link to="/assets" search={{ where }}>
          {many(data.conditionCount.matching, 'asset')}
        </Link>
      ) : (
        '…'
      )}
    </li>
  )
}
