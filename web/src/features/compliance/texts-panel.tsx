import { Button, Checkbox, FileInput, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  ComplianceTextImportsDocument,
  ImportComplianceTextsDocument,
  RemoveComplianceTextsDocument,
} from '#api/generated/checks.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { many } from '#lib/numbers.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'

/** Texts of a framework that the organisation holds a licence for: for its members alone. */
export function TextsPanel({ framework }: { readonly framework: string }) {
  const may = usePermission()
  const [open, setOpen] = useState<'import' | 'remove'>()
  const { data } = useQuery(q(ComplianceTextImportsDocument, {}))
  const remove = useChange(RemoveComplianceTextsDocument, {
    done: 'Removed',
    onDone: () => setOpen(undefined),
  })
  const known = data?.complianceTextImports.find((it) => it.framework === framework)
  if (!data) return null
  return (
    <Panel title="Licensed text">
      {known ? (
        <p>
          {many(known.controls, 'control')} with the text that {known.importedBy} imported{' '}
          <Time at={known.importedAt} />; {known.isExported ? 'also in files of statements' : 'in no file'}.
        </p>
      ) : (
        <p className="quiet">
          Holders of a licence import the text of the framework from a CSV file or an OSCAL catalogue. It is
          shown on the pages of the controls, to members of this organisation alone.
        </p>
      )}
      {may('compliance:write') && (
        <p>
          <Button variant="default" size="compact-sm" onClick={() => setOpen('import')}>
            {known ? 'Import again…' : 'Import text…'}
          </Button>{' '}
          {known && (
            <Button variant="default" size="compact-sm" onClick={() => setOpen('remove')}>
              Remove…
            </Button>
          )}
        </p>
      )}
      {open === 'import' && <ImportForm framework={framework} onClose={() => setOpen(undefined)} />}
      <ConfirmDialog
        isOpen={open === 'remove'}
        title="Remove the text"
        action="Remove text"
        isDestructive
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ framework })}
        onClose={() => setOpen(undefined)}
      >
        <p>The pages of the controls show what comes with the product again.</p>
      </ConfirmDialog>
    </Panel>
  )
}

interface ImportFormProps {
  readonly framework: string
  readonly onClose: () => void
}

function ImportForm({ framework, onClose }: ImportFormProps) {
  const form = useForm({
    initialValues: { rows: '', isExported: false },
    validate: { rows: (rows) => (rows.trim() === '' ? 'Choose a file, or paste its rows' : null) },
  })
  const change = useChange(ImportComplianceTextsDocument, {
    isQuiet: true,
    done: ({ importComplianceTexts: n }) => `${many(n, 'control')} with a text`,
  })
  return (
    <FormDialog
      isOpen
      title="Import licensed text"
      action="Import text"
      form={form}
      onSubmit={(values) => change.mutateAsync({ framework, ...values })}
      onClose={onClose}
    >
      <FileInput
        label="CSV file, or OSCAL catalogue as JSON"
        placeholder="Choose…"
        accept=".csv,text/csv,.json,application/json"
        onChange={(file) => void file?.text().then((rows) => form.setFieldValue('rows', rows))}
      />
      <Textarea
        label="Rows"
        description="The first line names the columns id, title and text; or the JSON of a catalogue."
        rows={6}
        {...form.getInputProps('rows')}
      />
      <Checkbox
        label="Our licence lets it stand in files of statements"
        {...form.getInputProps('isExported', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
