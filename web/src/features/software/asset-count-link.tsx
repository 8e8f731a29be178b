import { UnstyledButton } from '@mantine/core'
import { count } from '#lib/numbers.ts'
import type { Held } from './installed-on-drawer.tsx'
import styles from './software-page.module.css'

interface HeldCountProps {
  readonly held: Held
  readonly assets: number
  readonly onOpen: (held: Held) => void
}

/** How many assets have it, leading to them. */
export function HeldCount({ held, assets, onOpen }: HeldCountProps) {
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
