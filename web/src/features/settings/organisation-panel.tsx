import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { RenameTenantDocument } from '#api/generated/settings.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import styles from './settings-page.module.css'
import { useRefreshSession } from './use-refresh-session.ts'

/** Display name of the organisation. */
export function OrganisationPanel() {
  const { tenant } = useRouteContext({ from: '/app' }).session
  const may = usePermission()
  const [isNaming, setNaming] = useState(false)
  return (
    <Panel title="Organisation">
      <div className={styles['row']}>
        <span>{tenant.name}</span>
        {may('settings:write') && (
          <Button variant="default" onClick={() => setNaming(true)}>
            Rename
          </Button>
        )}
      </div>
      {isNaming && <NameForm name={tenant.name} onClose={() => setNaming(false)} />}
    </Panel>
  )
}

function NameForm({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const form = useForm({
    initialValues: { name },
    validate: { name: (text) => (text.trim() === '' ? 'Give it a name.' : null) },
  })
  const renew = useRefreshSession()
  const rename = useChange(RenameTenantDocument, {
    isQuiet: true,
    done: 'Organisation renamed',
    onDone: () => void renew(),
  })
  return (
    <FormDialog
      isOpen
      title="Rename the organisation"
      action="Rename"
      form={form}
      onSubmit={(values) => rename.mutateAsync({ name: values.name.trim() })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Everybody who works in it sees it. Its short name in links and commands stays."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}
