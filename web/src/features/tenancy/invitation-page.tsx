import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ApiError, messageBesideField, messageOf } from '#api/errors.ts'
import { sessionQuery } from '#api/session.ts'
import { Logo } from '#features/shell/logo.tsx'
import { useTitle } from '#ui/page.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import styles from './invitation-page.module.css'
import { acceptInvitation, acceptAsNewUser, readInvitation, type Offer } from './invitation.ts'

// a full page load starts the new session
const enter = () => location.replace('/')

/** Target of an invitation link. */
export function InvitationPage() {
  useTitle('Invitation')
  const token = location.hash.slice(1)
  const { data, error } = useQuery({
    queryKey: ['session', 'invitation', token],
    queryFn: () => readInvitation(token),
    retry: false,
  })
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <Logo />
        {error && <LoadError error={error} />}
        {!error && !data && <SkeletonBlock label="Reading the invitation" />}
        {data && (
          <>
            <h1 className={styles['title']}>Join {data.organisation}</h1>
            <p className="quiet">
              {data.email} is invited as {data.role}.
            </p>
            {data.hasAccount ? <Accept token={token} offer={data} /> : <Join token={token} />}
          </>
        )}
      </div>
    </main>
  )
}

function Accept({ token, offer }: { readonly token: string; readonly offer: Offer }) {
  const { data: session } = useQuery(sessionQuery)
  const accept = useMutation({ mutationFn: () => acceptInvitation(token), onSuccess: enter })
  if (session?.user.email.toLowerCase() !== offer.email.toLowerCase())
    return (
      <p>
        That address has an account. <a href="/sign-in">Sign in</a> with it, then open the link again.
      </p>
    )
  return (
    <>
      <Refusal error={accept.error} />
      <Button fullWidth loading={accept.isPending} onClick={() => accept.mutate()}>
        Join
      </Button>
    </>
  )
}

function Join({ token }: { readonly token: string }) {
  const form = useForm({ initialValues: { name: '', password: '' } })
  const join = useMutation({
    mutationFn: ({ name, password }: typeof form.values) => acceptAsNewUser(token, name.trim(), password),
    onSuccess: enter,
    onError: (error) => {
      if (error instanceof ApiError && error.field !== undefined)
        form.setFieldError(error.field, messageBesideField(error))
    },
  })
  return (
    <form className={styles['form']} onSubmit={form.onSubmit((values) => join.mutate(values))}>
      <TextInput label="Your name" autoComplete="name" autoFocus {...form.getInputProps('name')} />
      <PasswordInput
        label="Password"
        description="Long beats complicated: four words that nobody else would put together."
        autoComplete="new-password"
        required
        {...form.getInputProps('password')}
      />
      <Refusal error={join.error} />
      <Button type="submit" fullWidth loading={join.isPending}>
        Join
      </Button>
    </form>
  )
}

/** Errors that belong to no field. */
function Refusal({ error }: { readonly error: Error | null }) {
  if (!error || (error instanceof ApiError && error.field === 'password')) return null
  return (
    <Alert color="red" variant="light" role="alert">
      {messageOf(error)}
    </Alert>
  )
}
