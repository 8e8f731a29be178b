/** The types that the contract names. Which of them this installation can run is the list in `probes/all.ts`. */
export const scanTypes = ['sweep', 'ssh', 'snmp', 'wmi', 'vmware', 'hypervisor'] as const
export type ScanType = (typeof scanTypes)[number]

export const scanStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
export type ScanStatus = (typeof scanStatuses)[number]

/** What can happen to a scan. */
export const scanMoves = ['start', 'complete', 'fail', 'cancel'] as const
export type ScanMove = (typeof scanMoves)[number]

/** `start` of a running scan is a second attempt after its worker died; it begins again. */
const table: Readonly<Record<ScanStatus, Partial<Record<ScanMove, ScanStatus>>>> = {
  pending: { start: 'running', fail: 'failed', cancel: 'cancelled' },
  running: { start: 'running', complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  completed: {},
  failed: {},
  cancelled: {},
}

/** The state after a move; `undefined` when the move is not possible from there. */
export const after = (status: ScanStatus, move: ScanMove): ScanStatus | undefined => table[status][move]

/** A finished scan never changes again: repeating a scan is a new scan. */
export const isFinished = (status: ScanStatus): boolean => Object.keys(table[status]).length === 0

/** The states from which a move is possible, for the `where` of the statement that makes it. */
export const movableBy = (move: ScanMove): readonly ScanStatus[] =>
  scanStatuses.filter((status) => after(status, move) !== undefined)
