import { Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ReportScheduleTimesDocument } from '#api/generated/reports.ts'
import { q } from '#api/query-client.ts'
import { usualSchedules } from './report.ts'
import { cronOf, OTHER, type ScheduleValues } from './schedule-values.ts'

/** When a report is generated, its next times, and who gets the file. */
export function ScheduleFields<Values extends ScheduleValues>({
  form,
}: {
  readonly form: UseFormReturnType<Values>
}) {
  return (
    <>
      <Select
        label="How often"
        data={[
          ...Object.entries(usualSchedules).map(([value, label]) => ({ value, label })),
          { value: OTHER, label: 'At other times' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('often')}
      />
      {form.values.often === OTHER && (
        <TextInput
          label="Cron"
          description="Minute, hour, day, month, weekday: 0 6 * * 1"
          required
          {...form.getInputProps('cron')}
        />
      )}
      <TextInput label="Time zone" required {...form.getInputProps('zone')} />
      <NextTimes cron={cronOf(form.values)} zone={form.values.zone} />
      <TextInput
        label="Send the file to"
        description="Addresses of members and confirmed mail channels. Files above 10 MB are sent as a link."
        {...form.getInputProps('recipients')}
      />
    </>
  )
}

const WAIT_MS = 400

/** The next five; what is no schedule is said when it is saved. */
function NextTimes({ cron, zone }: { readonly cron: string; readonly zone: string }) {
  const [asked] = useDebouncedValue({ cron, zone }, WAIT_MS)
  const { data } = useQuery({
    ...q(ReportScheduleTimesDocument, asked),
    enabled: asked.cron.trim() !== '' && asked.zone.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  const times = data?.reportScheduleTimes ?? []
  return times.length === 0 ? null : <p className="quiet">Next: {times.join('; ')}.</p>
}
