import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { CheckCheck, ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef, type RefObject } from 'react'
import { PossibleDuplicatesDocument } from '#api/generated/duplicates.ts'
import { q } from '#api/query-client.ts'
import { RowByRowBar } from '#features/bulk-changes/row-by-row-bar.tsx'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { SelectBox } from '#ui/table/select-box.tsx'
import { useRowKeyboard } from '#ui/table/use-row-keyboard.ts'
import { useSelection, type RowSelection } from '#ui/table/use-selection.ts'
import styles from './duplicates-page.module.css'
import { DuplicatePair } from './duplicate-pair.tsx'
import { RememberedNames } from './remembered-names.tsx'
import { usePairVerbs } from './use-pair-verbs.ts'
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
  const mayWrite = session.permissions.includes('assets:write')
  return (
    <Page
      title="Possible duplicates"
      aside={found && <Badge>{count(found.total)}</Badge>}
      description={
        <>
          <span>
            Each pair has too much in common to ignore and too little to be merged without you. The likeliest
            come first.
          </span>{' '}
          <span className={styles['keys']}>
            j and k go through them, x selects, Enter merges, n keeps apart.
          </span>
        </>
      }
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!found && !error && <SkeletonBlock />}
      {found?.total === 0 && pairs.length === 0 && (
        <EmptyState icon={CheckCheck} title="Nothing to decide">
          Every asset is clearly told from every other. When a source reports something doubtful, it appears
          here.
        </EmptyState>
      )}
      <Pairs pairs={pairs} total={found?.total ?? 0} mayWrite={mayWrite} />
      <RememberedNames mayWrite={mayWrite} />
      {found && found.total > PAIRS && <Pagination page={page} pages={Math.ceil(found.total / PAIRS)} />}
    </Page>
  )
}

interface PairsProps {
  readonly pairs: ReturnType<typeof useStablePairs>
  readonly total: number
  readonly mayWrite: boolean
}

/** j and k go from pair to pair, x selects, Enter asks whether to merge, n says that they are not the same. */
function Pairs({ pairs, total, mayWrite }: PairsProps) {
  const selection = useSelection({ key: 'pairs', total })
  const verbs = usePairVerbs()
  const open = pairs.filter(({ isOpen }) => isOpen).map(({ key }) => key)
  const list = useRef<HTMLUListElement>(null)
  const cursor = usePairKeyboard(list, { pairs, open, selection: mayWrite ? selection : undefined })
  const keys = pairs.map(({ key }) => key)
  return (
    <>
      <ul ref={list} className={styles['pairs']}>
        {pairs.map(({ key, pair, isOpen }, index) => (
          <li key={key} className={styles['pair']} data-cursor={index === cursor || undefined}>
            {mayWrite && isOpen && (
              <span className={styles['box']}>
                <SelectBox
                  selection={selection}
                  id={key}
                  name={`${pair.assetA.name} and ${pair.assetB.name}`}
                  index={index}
                  between={(first, last) => keys.slice(first, last + 1).filter((it) => open.includes(it))}
                />
              </span>
            )}
            <DuplicatePair pair={pair} isOpen={isOpen} mayWrite={mayWrite} />
          </li>
        ))}
      </ul>
      {mayWrite && (
        <RowByRowBar
          noun="pair"
          selection={selection}
          rows={pairs.filter(({ key }) => selection.has(key)).map(({ pair }) => pair)}
          verbs={verbs}
        />
      )}
    </>
  )
}

interface PairKeyboard {
  readonly pairs: PairsProps['pairs']
  readonly open: readonly string[]
  readonly selection: RowSelection | undefined
}

function usePairKeyboard(
  list: RefObject<HTMLElement | null>,
  { pairs, open, selection }: PairKeyboard,
): number {
  const press = (index: number, answer: string) =>
    list.current?.children[index]?.querySelector<HTMLElement>(`[data-answer="${answer}"]`)?.click()
  const mark = (index: number) => {
    const key = pairs[index]?.key
    if (key !== undefined && open.includes(key)) void selection?.toggle(key, index)
  }
  const { cursor } = useRowKeyboard({
    total: pairs.length,
    onOpen: (index) => press(index, 'merge'),
    onMark: mark,
    onMove: (index) => list.current?.children[index]?.scrollIntoView({ block: 'nearest' }),
    onEscape: selection?.clear,
    more: { n: (index) => press(index, 'apart') },
  })
  return cursor
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
