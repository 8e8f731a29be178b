import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import { CopyButton } from '#ui/copy-button.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { QrCode } from '#ui/qr-code.tsx'
import { confirmTotp, enrolTotp, renewCodes, removeTotp, type Enrolment } from './account-requests.ts'
import styles from './settings-page.module.css'

interface SecondFactorFormProps {
  readonly onCodes: (codes: readonly string[]) => void
  readonly onClose: () => void
}

/** Asks for the password, then for the first code of the authenticator app. */
export function EnrolForm({ onCodes, onClose }: SecondFactorFormProps) {
  const [enrolment, setEnrolment] = useState<Enrolment>()
  if (enrolment) return <ConfirmForm enrolment={enrolment} onCodes={onCodes} onClose={onClose} />
  const goOn = async (password: string) => setEnrolment(await enrolTotp(password))
  return (
    <PasswordFirst title="Set up a second factor" action="Continue" onPassword={goOn} onClose={onClose} />
  )
}

export function NewCodesForm({ onCodes, onClose }: SecondFactorFormProps) {
  return (
    <PasswordFirst
      title="New recovery codes"
      action="Make new codes"
      onPassword={async (password) => onCodes(await renewCodes(password))}
      onClose={onClose}
    />
  )
}

interface PasswordFirstProps {
  readonly title: string
  readonly action: string
  readonly onPassword: (password: string) => Promise<void>
  /** Cancelled by the person; after the password the form closes itself. */
  readonly onClose: () => void
}

function PasswordFirst({ title, action, onPassword, onClose }: PasswordFirstProps) {
  const form = useForm({ initialValues: { password: '' } })
  const isAccepted = useRef(false)
  return (
    <FormDialog
      isOpen
      title={title}
      action={action}
      form={form}
      onSubmit={async ({ password }) => {
        await onPassword(password)
        isAccepted.current = true
      }}
      onClose={() => !isAccepted.current && onClose()}
    >
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        required
        data-autofocus
        {...form.getInputProps('password')}
      />
    </FormDialog>
  )
}

function ConfirmForm({ enrolment, onCodes, onClose }: SecondFactorFormProps & { enrolment: Enrolment }) {
  const form = useForm({ initialValues: { code: '' } })
  return (
    <FormDialog
      isOpen
      title="Set up a second factor"
      action="Confirm"
      form={form}
      onSubmit={async ({ code }) => onCodes(await confirmTotp(code.trim()))}
      onClose={onClose}
    >
      <p>Scan this with your authenticator app, or type the secret into it.</p>
      <QrCode text={enrolment.uri} label="The secret, for the camera of the authenticator app" />
      <div className={styles['secret']}>
        <code>{enrolment.secret}</code>
        <CopyButton value={enrolment.secret} label="Copy the secret" />
      </div>
      <Button variant="default" component="a" href={enrolment.uri}>
        Open the app on this device
      </Button>
      <TextInput
        label="Code"
        description="The six digits that the app shows now."
        autoComplete="one-time-code"
        required
        data-autofocus
        {...form.getInputProps('code')}
      />
    </FormDialog>
  )
}

export function RemoveForm({ onClose }: { readonly onClose: () => void }) {
  const form = useForm({ initialValues: { password: '', code: '' } })
  return (
    <FormDialog
      isOpen
      title="Remove the second factor"
      action="Remove it"
      form={form}
      onSubmit={({ password, code }) => removeTotp(password, code.trim())}
      onClose={onClose}
    >
      <p>Afterwards your password alone opens your account.</p>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        required
        data-autofocus
        {...form.getInputProps('password')}
      />
      <TextInput
        label="Code"
        description="Of the app, or a recovery code."
        autoComplete="one-time-code"
        required
        {...form.getInputProps('code')}
      />
    </FormDialog>
  )
}
