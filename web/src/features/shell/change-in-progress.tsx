import { useIsMutating } from '@tanstack/react-query'
import styles from './change-in-progress.module.css'

/** A line at the top while a change is on its way: what was chosen in a menu has no button left that could show it. */
export const ChangeInProgress = () =>
  useIsMutating() > 0 && <div className={styles['line']} role="progressbar" aria-label="Working" />
