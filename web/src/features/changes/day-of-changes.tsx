import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { ChangedAssetsDocument, type ChangeCountsData } from '#api/generated/changes.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { dayName } from '#lib/dates.ts'
import { count, many } from '#lib/numbers.ts'
import { inSentence } from '#lib/sentence-case.ts'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { changeFamilies, kindsOf } from './change-families.ts'
import { chosenFamilies, midnight, stretchOf, whoOf, type ChangeSearch } from './change-search-params.ts'
import { ChangedAssetRow } from './changed-asset-row.tsx'
import styles from './day-of-changes.module.css'

const SIZE = 50
/** As many as one answer of the server holds. */
const ROWS_MAX = 500

interface DayOfChangesProps {
  /** `YYYY-MM-DD`, where the person is. */
  readonly day: string
  readonly counts: ChangeCountsData['changeCounts']
  readonly search: ChangeSearch
  readonly isOpenAtFirst: boolean
}

/** The assets that changed on one day, one row for each. */
export function DayOfChanges({ day, counts, search, isOpenAtFirst }: DayOfChangesProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const id = useId()
  const total = counts.reduce((sum, it) => sum + it.count, 0)
  const families = changeFamilies.flatMap(({ title, kinds }) => {
    const n = counts.reduce((sum, it) => (kinds.includes(it.kind) ? sum + it.count : sum), 0)
    return n === 0 ? [] : [`${inSentence(title)} ${count(n)}`]
  })
  return (
    <section className={styles['day']} aria-labelledby={id}>
      <h2 className={styles['heading']} id={id}>
        <button
          type="button"
          className={styles['toggle']}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={15} aria-hidden className={styles['chevron']} />
          <span>{dayName(day)}</span>
          <span className={styles['total']}>{many(total, 'change')}</span>
          <span className={styles['families']}>{families.join(' · ')}</span>
        </button>
      </h2>
      {isOpen && <Assets day={day} search={search} />}
    </section>
  )
}

function Assets({ day, search }: { readonly day: string; readonly search: ChangeSearch }) {
  const [first, setFirst] = useState(SIZE)
  const may = usePermission()
  const families = changeFamilies.filter(({ permission }) => permission === undefined || may(permission))
  const wanted = {
    since: laterOf(midnight(day), stretchOf(search).since),
    until: midnight(day, 1),
    kinds: [...kindsOf(families, chosenFamilies(search))],
    ...whoOf(search),
  }
  const { data, error, refetch, isFetching } = useQuery({
    ...q(ChangedAssetsDocument, { ...wanted, ...(search.where && { where: search.where }), first }),
    placeholderData: keepPreviousData,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonBlock />
  const { items, total } = data.changedAssets
  return (
    <>
      <ul className={styles['assets']} aria-label={`Assets changed: ${dayName(day)}`}>
        {items.map((asset) => (
          <ChangedAssetRow key={asset.assetId ?? ''} asset={asset} wanted={wanted} search={search} />
        ))}
      </ul>
      {total > items.length && (
        <p className={styles['more']}>
          <span>
            {count(items.length)} of {many(total, 'asset')}
          </span>
          {first < ROWS_MAX ? (
            <Button
              size="compact-sm"
              variant="default"
              loading={isFetching}
              onClick={() => setFirst(Math.min(first * 3, ROWS_MAX))}
            >
              Show more
            </Button>
          ) : (
            <span>Choose kinds, a person or a condition above to see the others.</span>
          )}
        </p>
      )}
    </>
  )
}

const laterOf = (a: string, b: string): string => (a > b ? a : b)
