import { Button } from '@mantine/core'
import { useState } from 'react'
import { SetAssetTagsDocument } from '#api/generated/asset.ts'
import { send } from '#api/client.ts'
import { useChange } from '#api/query-client.ts'
import { Chip } from '#ui/badge.tsx'
import { Panel } from '#ui/panel.tsx'
import { TagPicker } from './tag-picker.tsx'
import styles from './tags-panel.module.css'

interface TagsPanelProps {
  readonly assetId: string
  readonly tags: readonly string[]
  readonly mayWrite: boolean
}

export function TagsPanel({ assetId, tags, mayWrite }: TagsPanelProps) {
  const [isEditing, setEditing] = useState(false)
  return (
    <Panel
      title="Tags"
      aside={
        mayWrite &&
        !isEditing && (
          <Button variant="subtle" size="compact-xs" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
    >
      {isEditing ? (
        <TagsForm assetId={assetId} tags={tags} onClose={() => setEditing(false)} />
      ) : (
        <>
          {tags.length === 0 && <p className="quiet">None yet.</p>}
          <div className={styles['tags']}>
            {tags.map((tag) => (
              <Chip key={tag}>{tag}</Chip>
            ))}
          </div>
        </>
      )}
    </Panel>
  )
}

interface TagsFormProps {
  readonly assetId: string
  readonly tags: readonly string[]
  readonly onClose: () => void
}

function TagsForm({ assetId, tags, onClose }: TagsFormProps) {
  const [wanted, setWanted] = useState([...tags])
  const set = useChange(SetAssetTagsDocument, {
    done: 'Tags saved',
    onDone: onClose,
    undo: () => send(SetAssetTagsDocument, { assetIds: [assetId], tags: [...tags] }),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        set.mutate({ assetIds: [assetId], tags: wanted })
      }}
    >
      <TagPicker value={wanted} onChange={setWanted} />
      <Button type="submit" mt="xs" loading={set.isPending}>
        Save tags
      </Button>
    </form>
  )
}
