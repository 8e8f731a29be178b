import styles from './skeleton.module.css'

/** Where text will be. */
export function Skeleton({ lines = 1 }: { readonly lines?: number }) {
  return (
    <span className={styles['lines']} aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles['line']} />
      ))}
    </span>
  )
}

/** Where a part of a page will be. */
export function SkeletonBlock({ label = 'Loading' }: { readonly label?: string }) {
  return (
    <div className={styles['block']} role="status" aria-label={label}>
      <Skeleton lines={4} />
    </div>
  )
}
