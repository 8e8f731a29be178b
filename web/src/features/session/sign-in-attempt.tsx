import { Alert } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '#api/errors.ts'

/** Runs one sign-in attempt at a time, and holds the error of the last one. */
export function useSignInAttempt() {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function attempt(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    await work().catch((error: unknown) => setProblem(messageOf(error)))
    setBusy(false)
  }
  return { attempt, isBusy, problem }
}

export function Refusal({ text }: { readonly text: string | undefined }) {
  if (!text) return null
  return (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  )
}
