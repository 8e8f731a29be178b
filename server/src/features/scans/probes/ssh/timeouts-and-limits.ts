/** How long a host may take and how much it may say. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** Until the connection stands. */
  readonly dial: number
  /** The same for an address of a range, where most addresses are unused. */
  readonly portProbe: number
  /** From the connection until the login has succeeded. */
  readonly login: number
  /** Without the end of an answer, until the question is given up; a terminal's answer as a whole. */
  readonly answer: number
  /** For all questions of a host. */
  readonly questions: number
  /** For a host as a whole. */
  readonly host: number
  readonly sectionBytes: number
  readonly packageBytes: number
  readonly totalBytes: number
  /** Bytes over the stored maximum that a command may print before it is ended. */
  readonly wasteBytes: number
}

const MIB = 1_024 * 1_024

export const USUAL_LIMITS: Limits = {
  dial: 7_000,
  portProbe: 3_000,
  login: 25_000,
  answer: 45_000,
  questions: 180_000,
  host: 300_000,
  sectionBytes: MIB / 4,
  packageBytes: 4 * MIB,
  totalBytes: 8 * MIB,
  wasteBytes: 2 * MIB,
}

export const seconds = (milliseconds: number): string => `${milliseconds / 1_000} s`
