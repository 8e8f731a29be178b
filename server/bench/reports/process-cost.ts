import { readFileSync, writeFileSync } from 'node:fs'

export interface ProcessCost {
  /** Of CPU, of all threads of the process and its children that ended, to hundredths; 0 where Linux does not say it. */
  readonly seconds: number
  /** Megabytes of physical memory of the process when the measuring began; 0 where Linux does not say it. */
  readonly before: number
  /** Megabytes that it had at most since then; 0 where Linux does not say it. */
  readonly peak: number
  /** Megabytes that the process which makes the file had at most, as seen every few milliseconds. */
  readonly renderer: number
}

export interface Measuring {
  /** Ends the measuring. */
  readonly end: () => ProcessCost
}

/** Linux counts the time of processes in hundredths of a second, whatever its clock (proc_pid_stat(5)). */
const TICKS_PER_SECOND = 100
/** Of the fields of /proc/PID/stat behind the name in brackets: in user mode and in the kernel, own and of children that ended. */
const TICKS = { from: 11, until: 15 }
const LOOK_MS = 10
const RENDERER = 'render-process.ts'

type Pid = number | 'self'

/** Of a process, from now on. The peak of its memory so far is forgotten, where Linux allows it (proc_pid_clear_refs(5)). */
export function measuring(process: Pid = 'self'): Measuring {
  try {
    writeFileSync(`/proc/${process}/clear_refs`, '5')
  } catch {
    // the peak is then that of the process since its start
  }
  const [ticks, before] = [ticksOf(process), megabytes(process, 'VmRSS')]
  let renderer = 0
  const looking = setInterval(() => {
    for (const child of renderersOf(process)) renderer = Math.max(renderer, megabytes(child, 'VmHWM'))
  }, LOOK_MS)
  return {
    end() {
      clearInterval(looking)
      const seconds = (ticksOf(process) - ticks) / TICKS_PER_SECOND
      return { seconds, before, peak: megabytes(process, 'VmHWM'), renderer }
    },
  }
}

function renderersOf(process: Pid): number[] {
  const id = process === 'self' ? told('self', 'stat').split(' ', 1)[0] : process
  return told(process, `task/${id}/children`)
    .split(' ')
    .map(Number)
    .filter((it) => it > 0 && told(it, 'cmdline').includes(RENDERER))
}

function ticksOf(process: Pid): number {
  const fields = told(process, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  return fields.slice(TICKS.from, TICKS.until).reduce((sum, it) => sum + Number(it), 0)
}

function megabytes(process: Pid, field: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes = 0] = new RegExp(`${field}:\\s+(\\d+)`).exec(told(process, 'status')) ?? []
  return Math.round(Number(kilobytes) / 1_024)
}

/** Empty where there is no such file. */
function told(process: Pid, file: string): string {
  try {
    return readFileSync(`/proc/${process}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
