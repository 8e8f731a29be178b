import { Button } from '@mantine/core'
import { count } from '#lib/numbers.ts'
import styles from './pagination.module.css'

interface PaginationProps {
  readonly total: number
  readonly offset: number
  readonly size: number
  readonly onOffset: (offset: number) => void
}

/** Pagination of a list; renders nothing for a single page. */
export function Pagination({ total, offset, size, onOffset }: PaginationProps) {
  if (total <= size && offset === 0) return null
  const last = Math.min(total, offset + size)
  return (
    <nav className={styles['pager']} aria-label="Pages">
      <span aria-live="polite">
        {total === 0 ? '0' : `${count(offset + 1)}–${count(last)}`} of {count(total)}
      </span>
      <span className={styles['buttons']}>
        <Button
          variant="default"
          disabled={offset === 0}
          onClick={() => onOffset(Math.max(0, offset - size))}
        >
          Previous
        </Button>
        <Button variant="default" disabled={last >= total} onClick={() => onOffset(offset + size)}>
          Next
        </Button>
      </span>
    </nav>
  )
}
