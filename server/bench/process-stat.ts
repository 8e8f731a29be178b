import { readFileSync } from 'node:fs'

/**
 * What /proc/PID/stat says of a process, from its state on: the third field of proc_pid_stat(5) is the first here. Empty for
 * a process that is gone.
 */
export function statFieldsOf(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}
