import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { sendCode, signIn } from '#api/session.ts'
import { Logo } from '#features/shell/logo.tsx'
import { useTitle } from '#ui/page.tsx'
import { Refusal, useSignInAttempt } from './sign-in-attempt.tsx'
import { safeRedirectPath } from './safe-redirect.ts'
import styles from './sign-in-page.module.css'
import { singleSignOnErrorText } from './single-sign-on-errors.ts'
import { SingleSignOnStep } from './single-sign-on-step.tsx'

export function SignInPage() {
  useTitle('Sign in')
  const { to, problem } = useSearch({ from: '/sign-in' })
  const [step, setStep] = useState<'password' | 'code'>('password')
  const returnTo = safeRedirectPath(to)
  // a full page load discards everything loaded before the sign-in
  const enter = () => location.replace(returnTo)
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <Logo />
        {step === 'password' ? (
          <>
            <PasswordStep
              returnTo={returnTo}
              before={singleSignOnErrorText(problem)}
              onDone={(state) => (state === 'second_factor' ? setStep('code') : enter())}
            />
            <SingleSignOnStep returnTo={returnTo} />
          </>
        ) : (
          <CodeStep returnTo={returnTo} onDone={enter} />
        )}
      </div>
    </main>
  )
}

interface PasswordStepProps {
  readonly returnTo: string
  /** Error of a failed single sign-on. */
  readonly before: string | undefined
  readonly onDone: (state: Awaited<ReturnType<typeof signIn>>) => void
}

function PasswordStep({ returnTo, before, onDone }: PasswordStepProps) {
  const form = useForm({ initialValues: { email: '', password: '' } })
  const { attempt, isBusy, problem } = useSignInAttempt()
  const submit = form.onSubmit(({ email, password }) =>
    attempt(async () => onDone(await signIn(email, password, returnTo))),
  )
  return (
    <form className={styles['form']} onSubmit={submit}>
      <h1 className={styles['title']}>Sign in</h1>
      {!problem && <Refusal text={before} />}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        autoFocus
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        {...form.getInputProps('password')}
      />
      <Refusal text={problem} />
      <Button type="submit" size="sm" fullWidth loading={isBusy}>
        Sign in
      </Button>
    </form>
  )
}

interface CodeStepProps {
  readonly returnTo: string
  readonly onDone: () => void
}

function CodeStep({ returnTo, onDone }: CodeStepProps) {
  const form = useForm({ initialValues: { code: '' } })
  const { attempt, isBusy, problem } = useSignInAttempt()
  const submit = form.onSubmit(({ code }) =>
    attempt(async () => {
      await sendCode(code.trim(), returnTo)
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
        withAsterisk={false}
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
