import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { CreateReportDocument, type ReportFormat, type ReportType } from '#api/generated/operations.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { ReportPreview } from './report-preview.tsx'
import { formatTitles, typeTitles } from './report.ts'

interface NewReportFormProps {
  readonly isOpen: boolean
  readonly onCreated: (id: string) => void
  readonly onClose: () => void
}

const choices = (titles: Readonly<Record<string, string>>) =>
  Object.entries(titles).map(([value, label]) => ({ value, label }))

export function NewReportForm({ isOpen, onCreated, onClose }: NewReportFormProps) {
  const form = useForm({
    initialValues: {
      name: '',
      type: 'inventory_summary' as ReportType,
      format: 'pdf' as ReportFormat,
      period: '',
    },
    validate: { name: (name) => (name.trim() === '' ? 'Say what the report is for.' : null) },
  })
  const create = useChange(CreateReportDocument, {
    isQuiet: true,
    onDone: ({ createReport }) => onCreated(createReport.id),
  })
  return (
    <FormDialog
      isOpen={isOpen}
      title="New report"
      action="Create report"
      form={form}
      onSubmit={({ name, type, format, period }) =>
        create.mutateAsync({ name: name.trim(), type, format, period: period.trim() || null })
      }
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <Select
        label="Type"
        data={choices(typeTitles)}
        allowDeselect={false}
        required
        {...form.getInputProps('type')}
      />
      <Select
        label="Format"
        data={choices(formatTitles)}
        allowDeselect={false}
        required
        {...form.getInputProps('format')}
      />
      <TextInput
        label="Period"
        description="2026, 2026-Q3, 2026-09, 2026-01-01/2026-03-31 or last-30-days. Empty: the last week, where a part looks back."
        {...form.getInputProps('period')}
      />
      {isOpen && <ReportPreview type={form.values.type} period={form.values.period.trim()} />}
    </FormDialog>
  )
}
