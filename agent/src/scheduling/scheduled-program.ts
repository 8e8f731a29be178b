/** What the host's scheduler starts. */
export interface ScheduledProgram {
  /** The program and its words, without `run`. */
  readonly command: readonly string[]
  /** Where key and progress stand. */
  readonly stateFolder: string
}
