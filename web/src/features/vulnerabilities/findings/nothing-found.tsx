import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { FindingsOverviewDocument } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { isAnythingAssessed } from '../assessment.ts'

/** In place of the list without an open finding: good news only where something was assessed. */
export function NothingFound() {
  const { data: overview } = useQuery(q(FindingsOverviewDocument, {}))
  const isAssessed = overview && isAnythingAssessed(overview.assessment)
  return (
    <EmptyState
      icon={isAssessed ? ShieldCheck : ShieldQuestionMark}
      title={isAssessed ? 'No open finding' : 'Not assessed yet'}
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/feeds" {...props} />}>
          Look at the feeds
        </Button>
      }
    >
      Findings come from software that scans and imports bring, and from advisories that the feeds bring. Turn
      on the feeds of your systems first.
    </EmptyState>
  )
}
