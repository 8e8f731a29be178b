import { Link, type LinkProps } from '@tanstack/react-router'
import type { OverviewData } from '#api/generated/overview.ts'
import { WEEK } from '#features/assets/list/asset-search-params.ts'
import { count } from '#lib/numbers.ts'
import styles from './key-figures.module.css'

/** The key figures, each a link to the list that it counts. */
export function KeyFigures({ overview }: { readonly overview: OverviewData['overview'] }) {
  const { total, newThisWeek, goneThisWeek, possibleDuplicates } = overview
  return (
    <ul className={styles['figures']}>
      <Figure name="Assets" n={total} note="seen at least once" link={{ to: '/assets' }} />
      <Figure
        name="New"
        n={newThisWeek}
        note="first seen in the last 7 days"
        link={{ to: '/assets', search: { where: WEEK.came, sort: 'firstSeen' } }}
      />
      <Figure
        name="Gone quiet"
        n={goneThisWeek}
        note="last seen 7 to 14 days ago"
        link={{ to: '/assets', search: { where: WEEK.went } }}
      />
      <Figure
        name="Possible duplicates"
        n={possibleDuplicates}
        note={possibleDuplicates > 0 ? 'wait for a decision' : 'nothing to decide'}
        link={{ to: '/duplicates' }}
      />
    </ul>
  )
}

interface FigureProps {
  readonly name: string
  readonly n: number
  readonly note: string
  readonly link: LinkProps
}

function Figure({ name, n, note, link }: FigureProps) {
  return (
    <li className={styles['figure']}>
      <Link {...link} className={styles['link']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['number']}>{count(n)}</span>
        <span className={styles['note']}>{note}</span>
      </Link>
    </li>
  )
}
