import { useNavigate } from '@tanstack/react-router'
import type { ChangeCountsData } from '#api/generated/changes.ts'
import { count } from '#lib/numbers.ts'
import type { ChangeFamily } from './change-families.ts'
import { chosenFamilies, type ChangeSearch } from './change-search-params.ts'
import styles from './family-counts.module.css'

interface FamilyCountsProps {
  readonly families: readonly ChangeFamily[]
  /** Undefined while they are loading. */
  readonly counts: ChangeCountsData['changeCounts'] | undefined
  readonly search: ChangeSearch
}

/** How many changes there are of each family; a click shows these alone, and those of others that were clicked. */
export function FamilyCounts({ families, counts, search }: FamilyCountsProps) {
  const navigate = useNavigate()
  const chosen = chosenFamilies(search)
  const toggle = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((it) => it !== id) : [...chosen, id]
    const { kind: _, ...others } = search
    void navigate({
      to: '/changes',
      search: { ...others, ...(next.length > 0 && { kind: next.join(',') }) },
    })
  }
  return (
    <ul className={styles['families']} aria-label="Kinds of changes">
      {families.map(({ id, title, kinds }) => (
        <li key={id} className={styles['family']}>
          <button
            type="button"
            className={styles['button']}
            aria-pressed={chosen.includes(id)}
            onClick={() => toggle(id)}
          >
            <span className={styles['number']}>
              {counts
                ? count(counts.reduce((sum, it) => (kinds.includes(it.kind) ? sum + it.count : sum), 0))
                : '–'}
            </span>
            <span className={styles['title']}>{title}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
