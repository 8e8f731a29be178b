import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MapPin, Network, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { DeletePlaceDocument, PlacesDocument, type PlacesData } from '#api/generated/records.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { NetworkTypesForm } from './network-types-form.tsx'
import { meantTypes, networkTypeNames } from './network-types.ts'
import { PlaceForm, placeKinds } from './place-form.tsx'
import styles from './places-panel.module.css'

export type Place = PlacesData['places'][number]

/** Sites, buildings and rooms, and the networks by which assets are found to be there. */
export function PlacesPanel() {
  const may = usePermission()('assets:write')
  const { data, error, refetch } = useQuery(q(PlacesDocument, {}))
  const [edited, setEdited] = useState<Place | 'new'>()
  const [meant, setMeant] = useState<Place>()
  const [deleted, setDeleted] = useState<Place>()
  return (
    <Panel
      title="Places"
      aside={
        may && (
          <Button
            variant="default"
            leftSection={<Plus size={13} aria-hidden />}
            onClick={() => setEdited('new')}
          >
            New place
          </Button>
        )
      }
      isFlush
    >
      <DataTable
        label="Places"
        columns={columnsFor(may, { onEdit: setEdited, onMeant: setMeant, onDelete: setDeleted })}
        rows={data?.places}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={MapPin} title="No places yet">
            Add your sites with their networks: every asset with an address in one is found to be there.
          </EmptyState>
        }
      />
      {edited && (
        <PlaceForm
          place={edited === 'new' ? undefined : edited}
          places={data?.places ?? []}
          onClose={() => setEdited(undefined)}
        />
      )}
      {meant && <NetworkTypesForm place={meant} onClose={() => setMeant(undefined)} />}
      {deleted && <DeletePlace place={deleted} onClose={() => setDeleted(undefined)} />}
    </Panel>
  )
}

type Choice = (place: Place) => void

const columnsFor = (
  may: boolean,
  {
    onEdit,
    onMeant,
    onDelete,
  }: { readonly onEdit: Choice; readonly onMeant: Choice; readonly onDelete: Choice },
): readonly Column<Place>[] => [
  { title: 'Place', cell: ({ path }) => path },
  { title: 'Kind', isMinor: true, cell: ({ kind }) => placeKinds[kind] },
  { title: 'Networks', cell: (place) => <Networks place={place} /> },
  {
    title: '',
    align: 'right',
    cell: (place) =>
      may && (
        <RowMenu
          label={`Actions for ${place.path}`}
          actions={[
            { title: 'Edit place', icon: Pencil, onChoose: () => onEdit(place) },
            ...(place.networks.length > 0
              ? [{ title: 'What its networks are for…', icon: Network, onChoose: () => onMeant(place) }]
              : []),
            { title: 'Delete place', icon: Trash2, isDestructive: true, onChoose: () => onDelete(place) },
          ]}
        />
      ),
  },
]

function Networks({ place }: { readonly place: Place }) {
  if (place.networks.length === 0) return '–'
  return (
    <ul className={styles['networks']}>
      {meantTypes(place).map(({ network, types }) => (
        <li key={network}>
          {network}
          {types.length > 0 && <span className="quiet"> for {networkTypeNames(types)}</span>}
        </li>
      ))}
    </ul>
  )
}

function DeletePlace({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const remove = useChange(DeletePlaceDocument, { done: 'Place deleted' })
  return (
    <ConfirmDialog
      isOpen
      isDestructive
      title={`Delete ${place.path}?`}
      action="Delete place"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ id: place.id }, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>Assets that were found to be here by their address are nowhere then.</p>
    </ConfirmDialog>
  )
}
