import type { ReactNode } from 'react'

/** A column of a list. The one with the key `name` is always shown. */
export interface ListColumn<Row> {
  readonly key: string
  readonly title: string
  /** Minimum width in rem. */
  readonly width: number
  /** Share of the width by which it grows; none unless given. */
  readonly grow?: number
  readonly fillsWidth?: boolean
  readonly cell: (row: Row) => ReactNode
  /** What the server orders the list by. */
  readonly sort?: string
  /** The first click puts the greatest first: times, counts, scores. */
  readonly isGreatestFirst?: boolean
  /** Not displayed by default. */
  readonly isExtra?: boolean
}
