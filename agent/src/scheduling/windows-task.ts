import type { ScheduledProgram } from './scheduled-program.ts'

export const TASK = 'Rollcall Agent'

/** What schtasks takes for a program with its words. */
const RUN_LENGTH_MAX = 261

/** For schtasks.exe: every five minutes as the system itself. Throws when the command is longer than it takes. */
export function taskArguments({ command }: ScheduledProgram): string[] {
  const run = [...command, 'run'].map((it) => (/[\s"]/.test(it) ? `"${it}"` : it)).join(' ')
  if (run.length > RUN_LENGTH_MAX)
    throw new Error(
      `the command has ${run.length} characters; install the agent in a folder with a shorter path`,
    )
  return [
    '/Create',
    '/F',
    '/TN',
    TASK,
    '/RU',
    'SYSTEM',
    '/RL',
    'HIGHEST',
    '/SC',
    'MINUTE',
    '/MO',
    '5',
    '/TR',
    run,
  ]
}

/** For icacls.exe: nobody but the system (S-1-5-18) and administrators (S-1-5-32-544). */
export const privateFolder = (folder: string): string[] => [
  folder,
  '/inheritance:r',
  '/grant:r',
  '*S-1-5-18:(OI)(CI)F',
  '*S-1-5-32-544:(OI)(CI)F',
]
