import styles from './progress-bar.module.css'

interface ProgressBarProps {
  readonly label: string
  /** 0 to 1; null while it is unknown. */
  readonly share: number | null
}

/** How far something is. */
export function ProgressBar({ label, share }: ProgressBarProps) {
  return <progress className={styles['track']} aria-label={label} max={1} value={share ?? undefined} />
}
