import { Button } from '@mantine/core'
import { CloudOff, RefreshCw } from 'lucide-react'
import type { Connection } from '#api/live-updates.ts'
import styles from './connection-notice.module.css'

/**
 * Notice above every screen that the server is unreachable or was upgraded. Unsaved input stays until the person
 * reloads.
 */
export function ConnectionNotice({ isAway, isOutdated }: Connection) {
  if (isAway)
    return (
      <p className={styles['notice']} role="status">
        <CloudOff size={15} aria-hidden />
        The server cannot be reached. Shown is what was known; it is tried again until it answers.
      </p>
    )
  if (!isOutdated) return null
  return (
    <p className={styles['notice']} role="status">
      <RefreshCw size={15} aria-hidden />
      Rollcall was upgraded. Reload for the new version; what you typed and did not save is lost by it.
      <Button variant="default" onClick={() => location.reload()}>
        Reload
      </Button>
    </p>
  )
}
