import { readFileSync, writeFileSync } from 'node:fs'

export interface ProcessCost {
  /** Of CPU, of all threads of the process, to hundredths; 0 where Linux does not say it. */
  readonly seconds: number
  /** Megabytes of physical memory of the process when the measuring began; 0 where Linux does not say it. */
  readonly before: number
  /** Megabytes that it had at most since then; 0 where Linux does not say it. */
  readonly peak: number
}

export interface Measuring {
  readonly process: number | 'self'
  readonly ticks: number
  readonly before: number
}

/** Linux counts the time of processes in hundredths of a second, whatever its clock (proc_pid_stat(5)). */
const TICKS_PER_SECOND = 100
/** Of the fields of /proc/PID/stat behind the name in brackets: time in user mode, and in the kernel. */
const USER_TICKS = 11

/** Of a process, from now on. The peak of its memory so far is forgotten, where Linux allows it (proc_pid_clear_refs(5)). */
export function measuring(process: number | 'self' = 'self'): Measuring {
  try {
    writeFileSync(`/proc/${process}/clear_refs`, '5')
  } catch {
    // the peak is then that of the process since its start
  }
  return { process, ticks: ticksOf(process), before: megabytes(process, 'VmRSS') }
}

export function measured({ process, ticks, before }: Measuring): ProcessCost {
  const seconds = (ticksOf(process) - ticks) / TICKS_PER_SECOND
  return { seconds, before, peak: megabytes(process, 'VmHWM') }
}

function ticksOf(process: Measuring['process']): number {
  const fields = told(process, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[USER_TICKS] ?? 0) + Number(fields[USER_TICKS + 1] ?? 0)
}

function megabytes(process: Measuring['process'], field: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes = 0] = new RegExp(`${field}:\\s+(\\d+)`).exec(told(process, 'status')) ?? []
  return Math.round(Number(kilobytes) / 1_024)
}

/** Empty where there is no such file. */
function told(process: Measuring['process'], file: string): string {
  try {
    return readFileSync(`/proc/${process}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
