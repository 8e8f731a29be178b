export interface Together {
  /** In one call. */
  readonly sizeMax: number
  /** Nobody waits longer for answers to others. */
  readonly waitMs: number
}

/**
 * Answers many questions by one call: what is asked while a call is under way is the next call's. What comes alone is asked
 * at once. No question is answered by a call that was begun before it came.
 */
export function askedTogether<Question, Answer>(
  /** Answers in the order of the questions. */
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { sizeMax, waitMs }: Together,
): (question: Question) => Promise<Answer> {
  const waiting: {
    question: Question
    resolve: (answer: Answer) => void
    reject: (error: unknown) => void
  }[] = []
  let isWorking = false
  const answer = async (): Promise<void> => {
    const asked = waiting.splice(0, sizeMax)
    try {
      const answers = await ask(asked.map(({ question }) => question))
      asked.forEach(({ resolve }, at) => resolve(answers[at] as Answer))
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
  const work = async (): Promise<void> => {
    isWorking = true
    while (waiting.length > 0) await atMost(answer(), waitMs)
    isWorking = false
  }
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (!isWorking) void work()
    })
}

/** Resolves with `work`, or when it takes longer. */
const atMost = (work: Promise<void>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, ms)
    void work.then(() => {
      clearTimeout(late)
      resolve()
    })
  })
