import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { AssetData } from '#api/generated/asset.ts'
import { CustomFieldsDocument } from '#api/generated/settings.ts'
import { q } from '#api/query-client.ts'
import { Panel } from '#ui/panel.tsx'
import { CustomFieldForm } from './custom-field-form.tsx'
import styles from './custom-fields-panel.module.css'

type Value = AssetData['asset']['customFields'][number]

interface CustomFieldsPanelProps {
  readonly assetId: string
  readonly values: readonly Value[]
  readonly mayWrite: boolean
}

export function CustomFieldsPanel({ assetId, values, mayWrite }: CustomFieldsPanelProps) {
  const [edited, setEdited] = useState<Value>()
  const all = useAllFields(values)
  return (
    <Panel title="Custom fields">
      {all?.length === 0 && <p className="quiet">Fields defined in the settings appear here.</p>}
      <dl>
        {all?.map((it) => (
          <div key={it.field.id} className={styles['fact']}>
            <dt>{it.field.name}</dt>
            <dd className={styles['value']}>
              {displayText(it.value)}
              {mayWrite && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={`Change ${it.field.name}`}
                  onClick={() => setEdited(it)}
                >
                  <Pencil size={13} aria-hidden />
                </ActionIcon>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {edited && <CustomFieldForm assetId={assetId} value={edited} onClose={() => setEdited(undefined)} />}
    </Panel>
  )
}

/** All defined fields, with values where set; undefined while loading. */
function useAllFields(values: readonly Value[]): readonly Value[] | undefined {
  const { data } = useQuery(q(CustomFieldsDocument, {}))
  if (!data) return values.length > 0 ? values : undefined
  return data.customFields.map(
    (field) => values.find((it) => it.field.id === field.id) ?? { field, value: null },
  )
}

const displayText = (value: unknown): string => {
  if (value === null || value === '') return '–'
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value as string | number)
}
