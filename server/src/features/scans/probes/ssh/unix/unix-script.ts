import { activityQuestions } from './activity-commands.ts'
import { packageQuestions } from './package-commands.ts'
import type { Question } from './command.ts'
import { libraryQuestion } from './library-commands.ts'
import { systemQuestions } from './system-commands.ts'

/** Identifying sections come first, slow ones last. */
export const unixQuestions: readonly Question[] = [
  ...systemQuestions,
  ...activityQuestions,
  ...packageQuestions,
  libraryQuestion,
]

/**
 * One script for all questions. Nothing in it writes, asks for a password or leaves a history; the commands cannot
 * read the script, which comes on the same input.
 */
export function scriptOf(questions: readonly Question[], mark: string): string {
  return `${PRELUDE.replace('MARK', mark)}\n${questions.map(asked).join('\n')}\nexit 0\n`
}

const PRELUDE = String.raw`M='MARK'
unset HISTFILE
LC_ALL=C; LANG=C; TERM=dumb; umask 077
PATH=$PATH:/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/bin:/usr/pkg/sbin:/usr/pkg/bin:/snap/bin
export LC_ALL LANG TERM PATH
has() { command -v "$1" >/dev/null 2>&1; }
S=$(uname -s 2>/dev/null)
T=; timeout 5 true >/dev/null 2>&1 && T='timeout 40'`

const asked = ({ name, command }: Question): string => `printf '\\n%s %s begin\\n' "$M" ${name}
(
${command}
) </dev/null 2>/dev/null
printf '\\n%s %s end %s\\n' "$M" ${name} $?`
