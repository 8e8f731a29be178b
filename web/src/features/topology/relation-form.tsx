import { Modal, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '#api/errors.ts'
import type { RelationKind } from '#api/generated/enums-and-inputs.ts'
import { AddAssetRelationDocument } from '#api/generated/topology.ts'
import { useChange } from '#api/query-client.ts'
import { AssetFinder } from '#features/assets/asset-finder.tsx'
import { relationWords } from './relation-words.ts'
import styles from './relations-panel.module.css'

const KINDS: readonly RelationKind[] = ['runs_on', 'depends_on', 'part_of', 'used_by', 'connected_to']

/** Each kind in both directions, but for the one that is the same in both. */
const CHOICES = KINDS.flatMap((kind) =>
  (kind === 'connected_to' ? ['out'] : ['out', 'in']).map((direction) => ({
    value: `${kind} ${direction}`,
    label: relationWords(kind, direction),
  })),
)

interface RelationFormProps {
  readonly assetId: string
  readonly onClose: () => void
}

/** Records a relation: what the asset does, then to which other. Choosing the other adds it. */
export function RelationForm({ assetId, onClose }: RelationFormProps) {
  const [chosen, setChosen] = useState(CHOICES[0]?.value ?? '')
  const [note, setNote] = useState('')
  const add = useChange(AddAssetRelationDocument, { done: 'Relation added', onDone: onClose, isQuiet: true })
  const choose = (otherId: string) => {
    const [kind, direction] = chosen.split(' ') as [RelationKind, string]
    const [fromId, toId] = direction === 'out' ? [assetId, otherId] : [otherId, assetId]
    add.mutate({ fromId, toId, kind, note: note.trim() || null })
  }
  return (
    <Modal opened onClose={onClose} title="Add a relation">
      <div className={styles['form']}>
        <Select
          label="This asset"
          data={CHOICES}
          value={chosen}
          onChange={(value) => value && setChosen(value)}
        />
        <TextInput
          label="Note"
          maxLength={500}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <AssetFinder except={assetId} onChoose={({ id }) => choose(id)} />
        {add.error && (
          <p role="alert" className={styles['problem']}>
            {messageOf(add.error)}
          </p>
        )}
      </div>
    </Modal>
  )
}
