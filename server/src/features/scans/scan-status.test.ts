import { expect, test } from 'vitest'
import {
  after,
  isFinished,
  movableBy,
  scanMoves,
  scanStatuses,
  type ScanMove,
  type ScanStatus,
} from './scan-status.ts'

/** Every state and every move; `-` where nothing changes. */
const transitions: Readonly<Record<ScanStatus, Readonly<Record<ScanMove, ScanStatus | '-'>>>> = {
  pending: { start: 'running', complete: '-', fail: 'failed', cancel: 'cancelled' },
  running: { start: 'running', complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  completed: { start: '-', complete: '-', fail: '-', cancel: '-' },
  failed: { start: '-', complete: '-', fail: '-', cancel: '-' },
  cancelled: { start: '-', complete: '-', fail: '-', cancel: '-' },
}

const cases = scanStatuses.flatMap((status) =>
  scanMoves.map((move) => ({ status, move, next: transitions[status][move] })),
)

test.each(cases)('$status, $move -> $next', ({ status, move, next }) => {
  expect(after(status, move) ?? '-').toBe(next)
  expect(movableBy(move).includes(status)).toBe(next !== '-')
})

test('a scan is finished when nothing can happen to it', () => {
  expect(scanStatuses.filter(isFinished)).toEqual(['completed', 'failed', 'cancelled'])
})
