import { Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ApiError, messageBesideField, messageOf } from '#api/errors.ts'
import { SetNoticePreferencesDocument, type NoticesData } from '#api/generated/notices.ts'
import { useChange } from '#api/query-client.ts'
import { zone } from '#lib/dates.ts'
import { Panel } from '#ui/panel.tsx'
import { toastFailed } from '#ui/toast.ts'
import styles from './preferences-panel.module.css'

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** Quiet hours, time zone and daily mail of the person who looks. */
export function PreferencesPanel({
  preferences,
}: {
  readonly preferences: NoticesData['noticePreferences']
}) {
  const here = zone()
  const { form, submit, isBusy } = usePreferencesForm(preferences)
  return (
    <Panel title="When">
      <form className={styles['form']} onSubmit={submit} noValidate>
        <TextInput
          label="Time zone"
          spellCheck={false}
          {...form.getInputProps('zone')}
          rightSectionWidth={90}
          rightSection={
            here !== form.values.zone && (
              <Button variant="subtle" size="compact-xs" onClick={() => form.setFieldValue('zone', here)}>
                Use mine
              </Button>
            )
          }
        />
        <TextInput label="Quiet from" type="time" {...form.getInputProps('quietFrom')} />
        <TextInput label="Quiet until" type="time" {...form.getInputProps('quietUntil')} />
        <NativeSelect label="Daily at" data={HOURS} {...form.getInputProps('digestHour')} />
        <Switch
          label="Mail me once a day what waits"
          {...form.getInputProps('hasSummary', { type: 'checkbox' })}
        />
        <Button type="submit" variant="default" loading={isBusy} disabled={!form.isDirty()}>
          Save
        </Button>
      </form>
    </Panel>
  )
}

function usePreferencesForm(preferences: NoticesData['noticePreferences']) {
  const form = useForm({
    initialValues: {
      zone: preferences.zone,
      quietFrom: preferences.quietFrom ?? '',
      quietUntil: preferences.quietUntil ?? '',
      digestHour: String(preferences.digestHour),
      hasSummary: preferences.hasSummary,
    },
  })
  const save = useChange(SetNoticePreferencesDocument, { isQuiet: true, done: 'Saved' })
  const submit = form.onSubmit(({ zone, quietFrom, quietUntil, digestHour, hasSummary }) => {
    const quiet = { quietFrom: quietFrom || null, quietUntil: quietUntil || null }
    save.mutate(
      { zone, ...quiet, digestHour: Number(digestHour), hasSummary },
      {
        onSuccess: () => form.resetDirty(),
        onError: (error) =>
          error instanceof ApiError && error.field !== undefined
            ? form.setFieldError(error.field, messageBesideField(error))
            : toastFailed(messageOf(error)),
      },
    )
  })
  return { form, submit, isBusy: save.isPending }
}
