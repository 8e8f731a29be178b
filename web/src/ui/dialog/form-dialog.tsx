import { Alert, Button, Modal } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState, type ReactNode } from 'react'
import { ApiError, messageBesideField, messageOf } from '#api/errors.ts'
import { useReturnFocus } from './use-return-focus.ts'
import styles from './form-dialog.module.css'

interface FormDialogProps<Values extends Record<string, unknown>> {
  readonly isOpen: boolean
  readonly title: string
  /** Label of the button: a verb, such as `Create key`. */
  readonly action: string
  readonly form: UseFormReturnType<Values>
  /** Its error is displayed at the field it names, else above the buttons. */
  readonly onSubmit: (values: Values) => Promise<unknown>
  readonly onClose: () => void
  /** False: something is to be done before it can be submitted, such as a preview. */
  readonly isReady?: boolean
  readonly children: ReactNode
}

/** A form in a dialog, which closes after a successful submit. */
export function FormDialog<Values extends Record<string, unknown>>(props: FormDialogProps<Values>) {
  const { isOpen, title, action, form, onClose, isReady = true, children } = props
  const { submit, isBusy, problem } = useSubmit(props)
  useReturnFocus()
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <form
        className={styles['form']}
        onSubmit={form.onSubmit(
          (values) => void submit(values),
          (errors) => focusOn(form, Object.keys(errors)[0]),
        )}
        noValidate
      >
        <div className={styles['fields']}>{children}</div>
        {problem && (
          <Alert color="red" variant="light" role="alert" mt="sm">
            {problem}
          </Alert>
        )}
        <div className={styles['buttons']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function useSubmit<Values extends Record<string, unknown>>(props: FormDialogProps<Values>) {
  const { form, onSubmit, onClose } = props
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function submit(values: Values): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await onSubmit(values)
      form.reset()
      onClose()
    } catch (error) {
      if (error instanceof ApiError && error.field !== undefined && error.field in values) {
        form.setFieldError(error.field, messageBesideField(error))
        focusOn(form, error.field)
      } else setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { submit, isBusy, problem }
}

/** Whoever typed something wrong can go on typing there. */
const focusOn = <Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  field: string | undefined,
): void => {
  if (field !== undefined) form.getInputNode(field)?.focus()
}
