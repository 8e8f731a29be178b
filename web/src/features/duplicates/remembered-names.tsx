import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ForgetNameDocument, RememberedNamesDocument } from '#api/generated/duplicates.ts'
import { q, useChange } from '#api/query-client.ts'
import { Panel } from '#ui/panel.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'

/** Answers that hold for later phones too, each with a button to take it back; not there while there are none. */
export function RememberedNames({ mayWrite }: { readonly mayWrite: boolean }) {
  const { data } = useQuery(q(RememberedNamesDocument, {}))
  const forget = useChange(ForgetNameDocument, { done: 'Forgotten: it is asked about again' })
  if (!data || data.rememberedNames.length === 0) return null
  return (
    <Panel title="Remembered names" isFlush>
      <DataTable
        label="Remembered names"
        columns={[
          { title: 'Phones called', cell: ({ name }) => name },
          { title: 'Since', isMinor: true, cell: ({ at }) => <Time at={at} /> },
          {
            title: '',
            align: 'right',
            cell: ({ id, name }) =>
              mayWrite && (
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Forget ${name}`}
                  loading={forget.isPending && forget.variables.id === id}
                  onClick={() => forget.mutate({ id })}
                >
                  Forget
                </Button>
              ),
          },
        ]}
        rows={data.rememberedNames}
        keyOf={({ id }) => id}
        empty={null}
      />
    </Panel>
  )
}
