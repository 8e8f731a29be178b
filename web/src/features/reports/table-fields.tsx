import { MultiSelect, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReportTableRows } from '#api/generated/enums-and-inputs.ts'
import { ReportTableFieldsDocument } from '#api/generated/reports.ts'
import { q } from '#api/query-client.ts'
import { TakeView } from '#features/lists/take-view.tsx'
import { noTable, type TableValues } from './table-values.ts'

const ROWS: readonly { readonly value: ReportTableRows; readonly label: string }[] = [
  { value: 'assets', label: 'Assets' },
  { value: 'findings', label: 'Findings' },
  { value: 'software', label: 'Software on assets' },
]
const COLUMNS_MAX = 40

/** What the table of a custom report is put together of. */
export function TableFields({ form }: { readonly form: UseFormReturnType<TableValues> }) {
  const { rows } = form.values
  const { data } = useQuery({ ...q(ReportTableFieldsDocument, { rows }), placeholderData: keepPreviousData })
  const fields = (data?.reportTableFields ?? []).map(({ name, title }) => ({ value: name, label: title }))
  return (
    <>
      <Select
        label="A row for each"
        data={ROWS}
        allowDeselect={false}
        value={rows}
        onChange={(value) =>
          form.setValues({ ...noTable, rows: ROWS.find((it) => it.value === value)?.value ?? rows })
        }
      />
      <MultiSelect
        label="Columns"
        description={`At most ${COLUMNS_MAX}, in this order. None: those of the asset audit.`}
        data={fields}
        searchable
        clearable
        maxValues={COLUMNS_MAX}
        {...form.getInputProps('columns')}
      />
      <Select label="Grouped by" data={fields} searchable clearable {...form.getInputProps('group_by')} />
      <Select
        label="Sorted by"
        data={fields.flatMap(({ value, label }) => [
          { value, label },
          { value: `-${value}`, label: `${label}, the greatest first` },
        ])}
        searchable
        clearable
        {...form.getInputProps('sort_by')}
      />
      {rows === 'findings' && (
        <>
          <TextInput
            label="Findings where"
            placeholder="status = open and severity >= high"
            {...form.getInputProps('rows_where')}
          />
          <TakeView subject="finding" onTake={(where) => form.setFieldValue('rows_where', where)} />
        </>
      )}
    </>
  )
}
