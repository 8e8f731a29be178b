import type { LucideIcon } from 'lucide-react'

/** A line of the command palette. */
export interface Command {
  readonly id: string
  readonly icon: LucideIcon
  readonly title: string
  readonly aside: string
  /** Other words by which people look for it. */
  readonly words?: string
  /** What other inventories call it: such a line comes after those that bear the words themselves. */
  readonly otherNames?: string
  readonly run: () => void
}
