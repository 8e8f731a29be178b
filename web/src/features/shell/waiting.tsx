import { VisuallyHidden } from '@mantine/core'
import styles from './waiting.module.css'

/** How much waits on a screen; renders nothing for none. */
export function Waiting({ total }: { readonly total: number }) {
  if (total === 0) return null
  return (
    <span className={styles['waiting']}>
      {total > 99 ? '99+' : total}
      <VisuallyHidden> waiting</VisuallyHidden>
    </span>
  )
}
