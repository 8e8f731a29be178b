import type { CheckSeverity } from '#api/generated/enums-and-inputs.ts'

/** A check as the form has it. */
export interface CheckValues extends Record<string, unknown> {
  readonly title: string
  readonly scope: string
  readonly condition: string
  readonly severity: CheckSeverity
  readonly tolerance: string
  readonly next: string
  /** A line for each control: slug of the framework, then the control. */
  readonly controls: string
}

interface CountedControl {
  readonly framework: string
  readonly controlId: string
}

export const linesOf = (controls: readonly CountedControl[]): string =>
  controls.map(({ framework, controlId }) => `${framework} ${controlId}`).join('\n')

/** Lines with one word name a framework without a control, which the server refuses by name. */
export const controlsIn = (lines: string): CountedControl[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [framework = '', ...controlId] = line.split(/\s+/)
      return { framework, controlId: controlId.join(' ') }
    })
