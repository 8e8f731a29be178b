/** When a request has to be over. One party at a time waits for it. */
export interface Deadline {
  readonly isOver: () => boolean
  /** Calls the listener once it is over, in place of the one before; undefined: nobody. */
  readonly onOver: (listener: (() => void) | undefined) => void
  readonly clear: () => void
}

export function deadlineIn(ms: number): Deadline {
  let isOver = false
  let listener: (() => void) | undefined
  const timer = setTimeout(() => {
    isOver = true
    listener?.()
  }, ms)
  return {
    isOver: () => isOver,
    onOver: (its) => void (listener = its),
    clear: () => clearTimeout(timer),
  }
}
