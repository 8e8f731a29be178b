import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '#api/errors.ts'
import { sendCode, signIn } from '#api/session.ts'
import { Logo } from '#features/shell/logo.tsx'
import { useTitle } from '#ui/page.tsx'
import { localPath } from './local-path.ts'
import styles from './sign-in-page.module.css'

export function SignInPage() {
  useTitle('Sign in')
  const { to } = useSearch({ from: '/sign-in' })
  const [step, setStep] = useState<'password' | 'code'>('password')
  // the page starts anew, so that nothing asked before signing in stays in memory
  const enter = () => location.replace(localPath(to))
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <Logo />
        {step === 'password' ? (
          <PasswordStep onDone={(state) => (state === 'second_factor' ? setStep('code') : enter())} />
        ) : (
          <CodeStep onDone={enter} />
        )}
      </div>
    </main>
  )
}

function PasswordStep({ onDone }: { readonly onDone: (state: Awaited<ReturnType<typeof signIn>>) => void }) {
  const form = useForm({ initialValues: { email: '', password: '' } })
  const { attempt, isBusy, problem } = useAttempt()
  const submit = form.onSubmit(({ email, password }) =>
    attempt(async () => onDone(await signIn(email, password))),
  )
  return (
    <form className={styles['form']} onSubmit={submit}>
      <h1 className={styles['title']}>Sign in</h1>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        required
        autoFocus
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        {...form.getInputProps('password')}
      />
      <Refusal text={problem} />
      <Button type="submit" size="sm" fullWidth loading={isBusy}>
        Sign in
      </Button>
    </form>
  )
}

function CodeStep({ onDone }: { readonly onDone: () => void }) {
  const form = useForm({ initialValues: { code: '' } })
  const { attempt, isBusy, problem } = useAttempt()
  const submit = form.onSubmit(({ code }) =>
    attempt(async () => {
      await sendCode(code.trim())
      onDone()
    }),
  )
  return (
    <form className={styles['form']} onSubmit={submit}>
      <h1 className={styles['title']}>Second step</h1>
      <TextInput
        label="Code"
        description="The six digits your authenticator app shows now, or one of your recovery codes."
        autoComplete="one-time-code"
        inputMode="text"
        required
        autoFocus
        {...form.getInputProps('code')}
      />
      <Refusal text={problem} />
      <Button type="submit" size="sm" fullWidth loading={isBusy}>
        Continue
      </Button>
    </form>
  )
}

function Refusal({ text }: { readonly text: string | undefined }) {
  if (!text) return null
  return (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  )
}

function useAttempt() {
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
