import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePermission } from '#api/use-permission.ts'
import styles from './getting-started.module.css'

interface GettingStartedProps {
  /** Further ways. */
  readonly children?: ReactNode
}

/** How to add assets, for an empty list. */
export function GettingStarted({ children }: GettingStartedProps) {
  const may = usePermission()
  return (
    <div className={styles['steps']}>
      {may('scans:write') && (
        <Button renderRoot={(props) => <Link to="/scans" {...props} />}>Sweep a network</Button>
      )}
      {may('imports:write') && (
        <Button variant="default" renderRoot={(props) => <Link to="/imports" {...props} />}>
          Import a list
        </Button>
      )}
      {children}
    </div>
  )
}
