import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { statFieldsOf } from '../process-stat.ts'

/** Linux counts the time of processes in hundredths of a second, whatever its clock (proc_pid_stat(5)). */
const TICKS_PER_SECOND = 100
/** Of the fields of /proc/PID/stat behind the name in brackets: the parent; time in user mode, and in the kernel. */
const [PARENT, USER_TICKS, KERNEL_TICKS] = [1, 11, 12]

/** Processor time of a process so far; 0 when it is gone, or on another system than Linux. */
export function processSeconds(pid: number): number {
  const fields = statFieldsOf(pid)
  return (Number(fields[USER_TICKS] ?? 0) + Number(fields[KERNEL_TICKS] ?? 0)) / TICKS_PER_SECOND
}

/** The same of the embedded database in that folder: of the processes that it has now. */
export function databaseSeconds(dataDir: string): number {
  const [postmaster = ''] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statFieldsOf(Number(name))[PARENT] === postmaster)
    .reduce((sum, name) => sum + processSeconds(Number(name)), 0)
}
