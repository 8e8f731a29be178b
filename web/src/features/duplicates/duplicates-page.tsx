import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { CheckCheck, ChevronLeft, ChevronRight } from 'lucide-react'
import { PossibleDuplicatesDocument } from '#api/generated/duplicates.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import styles from './duplicates-page.module.css'
import { DuplicatePair } from './duplicate-pair.tsx'
import { RememberedNames } from './remembered-names.tsx'
import { useStablePairs } from './use-stable-pairs.ts'

const PAIRS = 20

/** Pairs of assets whose evidence is too weak for an automatic merge. */
export function DuplicatesPage() {
  const { asset = '', page = 1 } = useSearch({ from: '/app/duplicates' })
  return <PageOfPairs key={`${asset} ${page}`} asset={asset} page={page} />
}

function PageOfPairs({ asset, page }: { readonly asset: string; readonly page: number }) {
  const { session } = useRouteContext({ from: '/app' })
  const offset = (page - 1) * PAIRS
  const { data, error, refetch } = useQuery(
    q(PossibleDuplicatesDocument, { first: PAIRS, offset, ...(asset && { assetId: asset }) }),
  )
  const found = data?.possibleDuplicates
  const pairs = useStablePairs(found?.items)
  return (
    <Page
      title="Possible duplicates"
      aside={found && <Badge>{count(found.total)}</Badge>}
      description="Each pair has too much in common to ignore and too little to be merged without you. The likeliest come first."
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!found && !error && <SkeletonBlock />}
      {found?.total === 0 && pairs.length === 0 && (
        <EmptyState icon={CheckCheck} title="Nothing to decide">
          Every asset is clearly told from every other. When a source reports something doubtful, it appears
          here.
        </EmptyState>
      )}
      <ul className={styles['pairs']}>
        {pairs.map(({ key, pair, isOpen }) => (
          <li key={key}>
            <DuplicatePair
              pair={pair}
              isOpen={isOpen}
              mayWrite={session.permissions.includes('assets:write')}
            />
          </li>
        ))}
      </ul>
      <RememberedNames mayWrite={session.permissions.includes('assets:write')} />
      {found && found.total > PAIRS && <Pagination page={page} pages={Math.ceil(found.total / PAIRS)} />}
    </Page>
  )
}

function Pagination({ page, pages }: { readonly page: number; readonly pages: number }) {
  const navigate = useNavigate()
  const go = (to: number) =>
    void navigate({ to: '/duplicates', search: (before) => ({ ...before, page: to }) })
  return (
    <nav className={styles['pager']} aria-label="Pages">
      <Button variant="default" disabled={page <= 1} onClick={() => go(page - 1)}>
        <ChevronLeft size={14} aria-label="Previous page" />
      </Button>
      Page {page} of {pages}
      <Button variant="default" disabled={page >= pages} onClick={() => go(page + 1)}>
        <ChevronRight size={14} aria-label="Next page" />
      </Button>
    </nav>
  )
}
