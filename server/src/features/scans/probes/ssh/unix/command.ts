export interface Question {
  /** Lower case letters, digits and dashes. */
  readonly name: string
  /** For a POSIX shell, in a subshell of its own. `has` tests whether a command exists, `$S` is the system's name. */
  readonly command: string
}
