import { Checkbox } from '@mantine/core'
import styles from './select-box.module.css'
import type { IdsBetween, RowSelection } from './use-selection.ts'

interface SelectAllBoxProps {
  readonly selection: RowSelection
  /** The ids of the rows that are loaded and can be selected. */
  readonly loaded: readonly string[]
}

/** Selects all that match; all that are loaded where no condition names the others. */
export function SelectAllBox({ selection, loaded }: SelectAllBoxProps) {
  const { mayAll, isAll, size, has, toggleAll } = selection
  const isWhole = mayAll ? isAll : loaded.length > 0 && loaded.every(has)
  return (
    <Checkbox
      size="xs"
      classNames={{ input: styles['box'] ?? '' }}
      aria-label={mayAll ? 'Select all that match' : 'Select all on this page'}
      checked={isWhole}
      indeterminate={size > 0 && !isWhole}
      onChange={() => toggleAll(loaded)}
    />
  )
}

interface SelectBoxProps {
  readonly selection: RowSelection
  readonly id: string
  readonly name: string
  readonly index: number
  readonly between: IdsBetween
}

/** Selects the row; with Shift all since the one that was selected last. */
export const SelectBox = ({ selection, id, name, index, between }: SelectBoxProps) => (
  <Checkbox
    size="xs"
    classNames={{ input: styles['box'] ?? '' }}
    aria-label={`Select ${name}`}
    checked={selection.has(id)}
    onChange={({ nativeEvent }) => {
      const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
      void selection.toggle(id, index, isRange ? between : undefined)
    }}
  />
)
