import { Button, NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '#api/errors.ts'
import type { Preferences } from '#api/session.ts'
import { Panel } from '#ui/panel.tsx'
import { toastDone, toastFailed } from '#ui/toast.ts'
import { savePreferences } from './account-requests.ts'
import { fromValues, toValues, type PreferenceValues } from './preference-values.ts'
import styles from './settings-page.module.css'
import { useRefreshSession } from './use-refresh-session.ts'

const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

const LANGUAGES = [
  { value: '', label: 'As the browser says' },
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
]
const ZONES = [
  { value: '', label: `As the browser says, ${browserZone}` },
  ...Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]
const DATES = [
  { value: '', label: 'As usual in the language' },
  { value: 'iso', label: '2027-02-19' },
  { value: 'day_dots', label: '19.02.2027' },
  { value: 'day_slashes', label: '19/02/2027' },
  { value: 'month_slashes', label: '02/19/2027' },
]
const NUMBERS = [
  { value: '', label: 'As usual in the language' },
  { value: 'comma_dot', label: '1,234.5' },
  { value: 'dot_comma', label: '1.234,5' },
  { value: 'space_comma', label: '1 234,5' },
  { value: 'apostrophe_dot', label: '1’234.5' },
]

/** Language, time zone, dates and numbers of the person, in every organisation. */
export function ReadingPanel() {
  const { form, submit, isBusy } = usePreferencesForm()
  return (
    <Panel title="Language and formats">
      <form className={styles['reading']} onSubmit={submit} noValidate>
        <NativeSelect label="Language" data={LANGUAGES} {...form.getInputProps('language')} />
        <NativeSelect label="Time zone" data={ZONES} {...form.getInputProps('timeZone')} />
        <NativeSelect label="Dates" data={DATES} {...form.getInputProps('dateFormat')} />
        <NativeSelect label="Numbers" data={NUMBERS} {...form.getInputProps('numberFormat')} />
        <Button type="submit" variant="default" loading={isBusy} disabled={!form.isDirty()}>
          Save
        </Button>
      </form>
    </Panel>
  )
}

function usePreferencesForm() {
  const { preferences } = useRouteContext({ from: '/app' }).session.user
  const [isBusy, setBusy] = useState(false)
  const refresh = useRefreshSession()
  const form = useForm<PreferenceValues>({ initialValues: toValues(preferences) })
  const save = async (wanted: Preferences) => {
    setBusy(true)
    try {
      await savePreferences(wanted)
      if (wanted.language !== preferences.language) return location.reload()
      await refresh()
      form.resetDirty()
      toastDone('Saved')
    } catch (error) {
      toastFailed(messageOf(error))
    }
    setBusy(false)
  }
  return { form, isBusy, submit: form.onSubmit((values) => void save(fromValues(values))) }
}
