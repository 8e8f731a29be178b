/** A condition that cannot be read: where, and what should be there. The message is for the person who wrote it. */
export class ConditionError extends Error {
  override readonly name = 'ConditionFault'
  /** Characters before the fault. */
  readonly position: number
  /** The message without the place. */
  readonly fault: string

  constructor(position: number, fault: string) {
    super(`${fault} (at character ${position + 1})`)
    this.position = position
    this.fault = fault
  }
}
