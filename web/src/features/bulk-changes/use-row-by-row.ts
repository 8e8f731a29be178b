import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '#api/errors.ts'
import { count, many } from '#lib/numbers.ts'

/** What is done with each of some rows. */
interface Work<Row> {
  /** `Revoke` */
  readonly title: string
  /** What a row is: `agent`. */
  readonly noun: string
  readonly rows: readonly Row[]
  readonly act: (row: Row) => Promise<unknown>
  /** Takes back what was done with a row. */
  readonly undo?: ((row: Row) => Promise<unknown>) | undefined
}

interface Progress {
  readonly text: string
  readonly share: number | undefined
  readonly isFailed: boolean
  readonly onUndo: (() => void) | undefined
}

/**
 * Does with one row after the other what the server has no job for. What one row refuses does not keep the others from it,
 * and is told. Lists are asked anew at the end.
 */
export function useRowByRow() {
  const client = useQueryClient()
  const isStopped = useRef(false)
  const [progress, setProgress] = useState<Progress>()
  const run = async <Row>(work: Work<Row>): Promise<void> => {
    const { title, noun, rows, act, undo } = work
    isStopped.current = false
    const changed: Row[] = []
    const refusals: string[] = []
    const show = (text: string, isOver: boolean) => {
      const done = changed.length + refusals.length
      setProgress({
        text: `${title}: ${text}${wordsOf(refusals)}`,
        share: isOver ? undefined : done / rows.length,
        isFailed: refusals.length > 0,
        onUndo:
          isOver && undo && changed.length > 0
            ? () => void run({ title: `Undo: ${title}`, noun, rows: changed, act: undo })
            : undefined,
      })
    }
    show(`0 of ${many(rows.length, noun)}`, false)
    for (const row of rows) {
      if (isStopped.current) break
      try {
        await act(row)
        changed.push(row)
      } catch (error) {
        refusals.push(messageOf(error))
      }
      show(`${count(changed.length)} of ${many(rows.length, noun)}`, false)
    }
    await client.invalidateQueries()
    const isWhole = changed.length === rows.length
    show(`${isWhole ? 'done on' : `${count(changed.length)} of`} ${many(rows.length, noun)}`, true)
  }
  return {
    progress,
    run,
    stop: () => {
      isStopped.current = true
    },
    dismiss: () => setProgress(undefined),
  }
}

const wordsOf = (refusals: readonly string[]): string =>
  refusals.length === 0
    ? ''
    : `. Refused ${count(refusals.length)}: ${[...new Set(refusals)].slice(0, 3).join(' ')}`
