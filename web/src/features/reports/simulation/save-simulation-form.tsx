import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import type { ReportFormat } from '#api/generated/enums-and-inputs.ts'
import { CreateSimulationReportDocument, type SimulationVariables } from '#api/generated/simulation.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { formatTitles } from '../report.ts'

interface SaveSimulationFormProps {
  readonly question: SimulationVariables
  /** The change in words, which is the first name of the report. */
  readonly sentence: string
  readonly onClose: () => void
}

/** Saves the simulation as a report, which is worked out anew each time that it is generated. */
export function SaveSimulationForm({ question, sentence, onClose }: SaveSimulationFormProps) {
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { reportName: sentence, format: 'pdf' as ReportFormat },
    validate: { reportName: (name) => (name.trim() === '' ? 'Say what the report is for.' : null) },
  })
  const create = useChange(CreateSimulationReportDocument, {
    isQuiet: true,
    onDone: ({ createSimulationReport: { id } }) =>
      void navigate({ to: '/reports/$reportId', params: { reportId: id } }),
  })
  return (
    <FormDialog
      isOpen
      title="Save as report"
      action="Save report"
      form={form}
      onSubmit={({ reportName, format }) =>
        create.mutateAsync({ ...question, reportName: reportName.trim(), format })
      }
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('reportName')} />
      <Select
        label="Format"
        data={Object.entries(formatTitles).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        required
        {...form.getInputProps('format')}
      />
      <p className="quiet">
        {question.where == null
          ? 'Of all assets, each time that it is generated.'
          : 'Of the assets that match the condition now; assets that come later are not in it.'}
      </p>
    </FormDialog>
  )
}
