import styles from './progress-bar.module.css'

interface ProgressBarProps {
  readonly label: string
  /** 0 to 1; null: not known. */
  readonly share: number | null
}

/** Progress of a job. */
export function ProgressBar({ label, share }: ProgressBarProps) {
  return <progress className={styles['track']} aria-label={label} max={1} value={share ?? undefined} />
}
