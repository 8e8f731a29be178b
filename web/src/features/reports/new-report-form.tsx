import { Autocomplete, Select, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import type { ReportFormat, ReportType } from '#api/generated/enums-and-inputs.ts'
import { CreateReportDocument } from '#api/generated/reports.ts'
import { useChange } from '#api/query-client.ts'
import { AssetLimitField } from '#features/conditions/asset-condition-field.tsx'
import { many } from '#lib/numbers.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { isPeriod, usualPeriods } from './report-period.ts'
import { ReportPreview } from './report-preview.tsx'
import { formatTitles, typeTitles } from './report.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import { TableFields } from './table-fields.tsx'
import { noTable, tableOf, tableOfFindings, type TableValues } from './table-values.ts'
import { scheduleOf, scheduleValuesOf, type ScheduleValues } from './schedule-values.ts'

export interface ReportScope {
  readonly assetIds?: readonly string[] | null
  /** A condition on assets, where none are named. */
  readonly where?: string | null
  /** A condition on findings, whose table it is. */
  readonly findings?: string
}

interface NewReportFormProps {
  readonly isOpen: boolean
  /** What it is of, where that was chosen before. */
  readonly of?: ReportScope
  readonly onCreated: (id: string) => void
  readonly onClose: () => void
}

interface Values extends ScheduleValues {
  readonly name: string
  readonly type: ReportType
  readonly format: ReportFormat
  readonly where: string
  readonly period: string
  /** `now`, or `scheduled`: not before its first time. */
  readonly first: string
}

const choices = (titles: Readonly<Record<string, string>>) =>
  Object.entries(titles).map(([value, label]) => ({ value, label }))

const wrongName = (name: string) => (name.trim() === '' ? 'Say what the report is for.' : null)

const wrongPeriod = (period: string) =>
  period.trim() === '' || isPeriod(period.trim()) ? null : 'Choose one, or write one as described.'

export function NewReportForm({ isOpen, of, onCreated, onClose }: NewReportFormProps) {
  const assetIds = of?.assetIds ?? undefined
  const form = useForm<Values>({
    initialValues: {
      name: '',
      type: typeOf(of),
      format: 'pdf',
      where: of?.where ?? '',
      period: '',
      first: 'now',
      ...scheduleValuesOf(),
    },
    validate: { name: wrongName, period: wrongPeriod },
    validateInputOnBlur: ['period'],
  })
  const tableForm = useForm<TableValues>({
    initialValues: of?.findings === undefined ? noTable : tableOfFindings(of.findings),
  })
  const table = form.values.type === 'custom' ? tableOf(tableForm.values) : null
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
      onSubmit={(values) => create.mutateAsync({ ...orderOf(values, assetIds), table })}
      onClose={onClose}
    >
      <WhatFields form={form} assetIds={assetIds} />
      {form.values.type === 'custom' && <TableFields form={tableForm} />}
      <FirstGeneration form={form} />
      {isOpen && (
        <ReportPreview
          name={form.values.name.trim()}
          type={form.values.type}
          period={form.values.period.trim()}
          where={form.values.where.trim()}
          assetIds={assetIds}
          table={table}
        />
      )}
    </FormDialog>
  )
}

function typeOf({ assetIds, where, findings }: ReportScope = {}): ReportType {
  if (findings !== undefined) return 'custom'
  return assetIds || where != null ? 'asset_audit' : 'inventory_summary'
}

const orderOf = (values: Values, assetIds: readonly string[] | undefined) => ({
  name: values.name.trim(),
  type: values.type,
  format: values.format,
  assetIds: assetIds ? [...assetIds] : null,
  where: values.where.trim() || null,
  period: values.period.trim() || null,
  schedule: values.first === 'now' ? null : scheduleOf(values),
})

function FirstGeneration({ form }: { readonly form: UseFormReturnType<Values> }) {
  return (
    <>
      <Select
        label="First generation"
        data={[
          { value: 'now', label: 'Now' },
          { value: 'scheduled', label: 'When its schedule says' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('first')}
      />
      {form.values.first === 'scheduled' && <ScheduleFields form={form} />}
    </>
  )
}

function WhatFields({
  form,
  assetIds,
}: {
  readonly form: UseFormReturnType<Values>
  readonly assetIds: readonly string[] | undefined
}) {
  const [offered] = useState(() => usualPeriods(new Date()))
  return (
    <>
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
      {assetIds ? (
        <p className="quiet">Of {many(assetIds.length, 'chosen asset')}.</p>
      ) : (
        <AssetLimitField
          description="Asked anew at each generation."
          value={form.values.where}
          onChange={(where) => form.setFieldValue('where', where)}
          error={form.errors['where']}
        />
      )}
      <Autocomplete
        label="Period"
        data={offered}
        description="2026, 2026-Q3, 2026-09, 2026-01-01/2026-03-31 or last-30-days. Empty: the last week, where a part looks back."
        {...form.getInputProps('period')}
      />
    </>
  )
}
