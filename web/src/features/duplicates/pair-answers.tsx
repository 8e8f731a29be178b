import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '#api/errors.ts'
import { UnlinkObservationsDocument } from '#api/generated/asset.ts'
import { KeepApartDocument, MergeByNameDocument } from '#api/generated/duplicates.ts'
import { useChange } from '#api/query-client.ts'
import { MergeDialog, type Merged } from '#features/assets/merging/merge-dialog.tsx'
import { toastFailed } from '#ui/toast.ts'
import styles from './duplicate-pair.module.css'
import { undoKeepApart } from './undo-keep-apart.ts'
import type { Pair } from './use-stable-pairs.ts'

interface AnswersProps {
  readonly pair: Pair
  readonly isOpen: boolean
}

/** The buttons, or the outcome at the same height, which avoids layout shift. */
export function PairAnswers({ pair, isOpen }: AnswersProps) {
  const { assetA: a, assetB: b, reasons } = pair
  const phone = reasons.find(({ canBeRemembered }) => canBeRemembered)?.value
  const [isMerging, setMerging] = useState(false)
  const [merged, setMerged] = useState<Merged>()
  const [isApart, setApart] = useState(false)
  const [outcome, setOutcome] = useState<string>()
  const apart = useChange(KeepApartDocument, { onDone: () => setApart(true) })
  const remember = useChange(MergeByNameDocument, {
    onDone: ({ mergeAssetsByName: { name } }) =>
      setOutcome(`Every phone called ${phone} is ${name} from now on. See “Remembered names” below.`),
  })
  if (merged) return <UndoMerge merged={merged} />
  if (isApart) return <UndoKeepApart pair={pair} onUndone={() => setApart(false)} />
  if (outcome !== undefined || !isOpen)
    return (
      <p className={styles['outcome']} role="status">
        {outcome ?? 'No longer in question.'}
      </p>
    )
  return (
    <div className={styles['answers']}>
      <Button data-answer="merge" onClick={() => setMerging(true)}>
        Merge…
      </Button>
      {phone !== undefined && (
        <Button
          variant="default"
          loading={remember.isPending}
          onClick={() => remember.mutate({ assetIdA: a.id, assetIdB: b.id })}
        >
          One phone: remember its name
        </Button>
      )}
      <Button
        variant="default"
        data-answer="apart"
        loading={apart.isPending}
        onClick={() => apart.mutate({ assetIdA: a.id, assetIdB: b.id })}
      >
        Not the same
      </Button>
      {isMerging && <MergeDialog a={a} b={b} isQuiet onClose={() => setMerging(false)} onDone={setMerged} />}
    </div>
  )
}

interface UndoKeepApartProps {
  readonly pair: Pair
  readonly onUndone: () => void
}

function UndoKeepApart({ pair, onUndone }: UndoKeepApartProps) {
  const client = useQueryClient()
  const undo = useMutation({
    mutationFn: () => undoKeepApart(pair),
    onSuccess: async () => {
      await client.invalidateQueries()
      onUndone()
    },
    onError: (error) => toastFailed(messageOf(error)),
  })
  return (
    <div className={styles['answers']}>
      <p className={styles['outcome']} role="status">
        Kept apart: not the same.
      </p>
      <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
        Undo
      </Button>
    </div>
  )
}

/** The outcome of a merge. Undo unlinks what was taken over, so both assets are kept apart from then on. */
function UndoMerge({ merged }: { readonly merged: Merged }) {
  const [isUndone, setUndone] = useState(false)
  const undo = useChange(UnlinkObservationsDocument, { onDone: () => setUndone(true) })
  if (isUndone)
    return (
      <p className={styles['outcome']} role="status">
        Separated again, and kept apart.
      </p>
    )
  return (
    <div className={styles['answers']}>
      <p className={styles['outcome']} role="status">
        Merged into{' '}
        <Link to="/assets/$assetId" params={{ assetId: merged.id }}>
          {merged.name}
        </Link>
      </p>
      {merged.takenOverObservationIds.length > 0 && (
        <Button
          variant="default"
          loading={undo.isPending}
          onClick={() =>
            undo.mutate({
              assetId: merged.id,
              observationIds: merged.takenOverObservationIds,
              reason: 'merge undone',
            })
          }
        >
          Undo
        </Button>
      )}
    </div>
  )
}
