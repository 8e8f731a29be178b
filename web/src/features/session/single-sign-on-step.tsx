import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { beginSignOn, offeredSignOnQuery } from '#api/session.ts'
import { Refusal, useSignInAttempt } from './sign-in-attempt.tsx'
import styles from './sign-in-page.module.css'

/** Single sign-on, if an organisation offers it; if several do, the person enters which. */
export function SingleSignOnStep({ returnTo }: { readonly returnTo: string }) {
  const { data: offered } = useQuery(offeredSignOnQuery)
  const [isAsking, setAsking] = useState(false)
  const form = useForm({ initialValues: { organisation: '' } })
  const { attempt, isBusy, problem } = useSignInAttempt()
  if (!offered) return null
  const { organisation } = offered
  const leave = (wanted: string) =>
    void attempt(async () => location.assign(await beginSignOn(wanted, returnTo)))
  const begin = () => (organisation === null ? setAsking(true) : leave(organisation))
  return (
    <form className={styles['form']} onSubmit={form.onSubmit((values) => leave(values.organisation.trim()))}>
      <p className={styles['or']}>or</p>
      {isAsking && (
        <TextInput
          label="Organisation"
          description="Its short name, as in the link you were given."
          autoComplete="organization"
          required
          autoFocus
          {...form.getInputProps('organisation')}
        />
      )}
      <Refusal text={problem} />
      <Button
        type={isAsking ? 'submit' : 'button'}
        variant="default"
        fullWidth
        loading={isBusy}
        leftSection={<Building2 size={15} aria-hidden />}
        onClick={isAsking ? undefined : begin}
      >
        Sign in with your organisation
      </Button>
    </form>
  )
}
