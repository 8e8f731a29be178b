import styles from './skeleton.module.css'

/** Placeholder of text. */
export function Skeleton({ lines = 1 }: { readonly lines?: number }) {
  return (
    <span className={styles['lines']} aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles['line']} />
      ))}
    </span>
  )
}

/** Placeholder of a section. */
export function SkeletonBlock({ label = 'Loading' }: { readonly label?: string }) {
  return (
    <div className={styles['block']} role="status" aria-label={label}>
      <Skeleton lines={4} />
    </div>
  )
}
