/** A condition that cannot be read: where, and what should be there. The message is for the person who wrote it. */
export class ConditionError extends Error {
  override readonly name = 'ConditionFault'
  /** Characters before the fault. */
  readonly position: number

  constructor(position: number, message: string) {
    super(`${message} (at character ${position + 1})`)
    this.position = position
  }
}
