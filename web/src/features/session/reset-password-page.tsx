import { Button, PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { resetPassword } from '#api/session.ts'
import { Logo } from '#features/shell/logo.tsx'
import { useTitle } from '#ui/page.tsx'
import { Refusal, useSignInAttempt } from './sign-in-attempt.tsx'
import styles from './sign-in-page.module.css'

/** Target of the reset link that an operator issues. */
export function ResetPasswordPage() {
  useTitle('New password')
  const [isDone, setDone] = useState(false)
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <Logo />
        {isDone ? <Done /> : <NewPassword token={location.hash.slice(1)} onDone={() => setDone(true)} />}
      </div>
    </main>
  )
}

function NewPassword({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const form = useForm({
    initialValues: { password: '', again: '' },
    validate: {
      again: (again, { password }) => (again === password ? null : 'The two are not the same.'),
    },
  })
  const { attempt, isBusy, problem } = useSignInAttempt()
  const submit = form.onSubmit(({ password }) =>
    attempt(async () => {
      await resetPassword(token, password)
      onDone()
    }),
  )
  return (
    <form className={styles['form']} onSubmit={submit}>
      <h1 className={styles['title']}>New password</h1>
      <p className="quiet">You will be signed out everywhere. A second factor stays as it is.</p>
      <PasswordInput
        label="New password"
        description="Long beats complicated: four words that nobody else would put together."
        autoComplete="new-password"
        required
        withAsterisk={false}
        autoFocus
        {...form.getInputProps('password')}
      />
      <PasswordInput
        label="The same again"
        autoComplete="new-password"
        required
        withAsterisk={false}
        {...form.getInputProps('again')}
      />
      <Refusal text={problem} />
      <Button type="submit" fullWidth loading={isBusy}>
        Set the password
      </Button>
    </form>
  )
}

function Done() {
  return (
    <>
      <h1 className={styles['title']}>The password is set</h1>
      <p className="quiet">The link works no more, and every session has ended.</p>
      <Button fullWidth renderRoot={(props) => <Link to="/sign-in" {...props} />}>
        Sign in
      </Button>
    </>
  )
}
