import { UnstyledButton } from '@mantine/core'
import { count } from '#lib/numbers.ts'
import type { InstalledItem } from './installed-on-drawer.tsx'
import styles from './software-page.module.css'

interface AssetCountLinkProps {
  readonly held: InstalledItem
  readonly assets: number
  readonly onOpen: (held: InstalledItem) => void
}

/** Number of assets, with a link to their list. */
export function AssetCountLink({ held, assets, onOpen }: AssetCountLinkProps) {
  return (
    <UnstyledButton
      className={styles['assets']}
      aria-label={`${count(assets)} with ${held.name}`}
      onClick={() => onOpen(held)}
    >
      {count(assets)}
    </UnstyledButton>
  )
}
