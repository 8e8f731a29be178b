import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { UnlinkObservationsDocument } from '#api/generated/asset.ts'
import type { AssetRow } from '#api/generated/assets.ts'
import { KeepApartDocument, MergeByNameDocument } from '#api/generated/duplicates.ts'
import { useChange } from '#api/query-client.ts'
import { AssetIcon } from '#features/assets/asset-icon.tsx'
import { typeName } from '#features/assets/asset-types.ts'
import { LastSeen } from '#features/assets/freshness.tsx'
import { identifierName } from '#features/assets/evidence/identifier-labels.ts'
import { MergeDialog, type Merged } from '#features/assets/merging/merge-dialog.tsx'
import { MatchReasons, Weight } from '#features/assets/evidence/match-reasons.tsx'
import { Badge } from '#ui/badge.tsx'
import { Time } from '#ui/time.tsx'
import styles from './duplicate-pair.module.css'
import type { Pair } from './use-stable-pairs.ts'

type SuggestionOfPair = NonNullable<Pair['suggestion']>

interface DuplicatePairProps {
  readonly pair: Pair
  /** Not yet decided. Otherwise the outcome is shown in place of the buttons. */
  readonly isOpen: boolean
  readonly mayWrite: boolean
}

/** Two assets side by side, the evidence for and against a merge, and the buttons to decide. */
export function DuplicatePair({ pair, isOpen, mayWrite }: DuplicatePairProps) {
  const { assetA, assetB, score, reasons, veto, suggestion } = pair
  return (
    <article
      className={styles['card']}
      data-answered={!isOpen || undefined}
      aria-label={`${assetA.name} and ${assetB.name}`}
    >
      <Comparison a={assetA} b={assetB} />
      <div className={styles['evidence']}>
        <div className={styles['score']}>
          <Badge tone="warn" sign="◐">
            Possibly the same
          </Badge>
          {score > 0 && <Weight share={score} />}
        </div>
        {suggestion && <Suggestion suggestion={suggestion} />}
        <MatchReasons reasons={reasons} />
        {veto !== null && <Against veto={veto as Veto} />}
      </div>
      {mayWrite && (
        <Answers
          a={assetA}
          b={assetB}
          isOpen={isOpen}
          phone={reasons.find(({ canBeRemembered }) => canBeRemembered)?.value}
        />
      )}
    </article>
  )
}

/** Who takes the two for one, and why. A flow is linked; its own page says what it does. */
function Suggestion({ suggestion: { by, flowId, at, reason } }: { readonly suggestion: SuggestionOfPair }) {
  return (
    <p className={styles['suggestion']}>
      Suggested by{' '}
      {flowId === null ? (
        by
      ) : (
        <Link to="/flows/$flowId" params={{ flowId }}>
          a flow
        </Link>
      )}
      , <Time at={at} />
      {reason && `: ${reason}`}
    </p>
  )
}

const FACTS: readonly (readonly [string, (asset: AssetRow) => string])[] = [
  ['Type', ({ assetType }) => typeName(assetType)],
  ['Address', ({ ipAddress }) => ipAddress],
  ['MAC', ({ macAddress }) => macAddress],
  ['Serial', ({ serial }) => serial],
  ['System', ({ os }) => os],
  ['Make', ({ vendor, model }) => [vendor, model].filter(Boolean).join(' ')],
]

function Comparison({ a, b }: { readonly a: AssetRow; readonly b: AssetRow }) {
  const facts = FACTS.map(([name, of]) => [name, of(a), of(b)] as const)
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">Asset</th>
          <Head asset={a} />
          <Head asset={b} />
        </tr>
      </thead>
      <tbody>
        {facts
          .filter(([, mine, theirs]) => mine || theirs)
          .map(([name, mine, theirs]) => (
            <tr key={name} data-differs={(mine && theirs && mine !== theirs) || undefined}>
              <th scope="row">{name}</th>
              <td>{mine || '–'}</td>
              <td>{theirs || '–'}</td>
            </tr>
          ))}
        <tr>
          <th scope="row">Last seen</th>
          <td>
            <LastSeen at={a.lastSeen} />
          </td>
          <td>
            <LastSeen at={b.lastSeen} />
          </td>
        </tr>
      </tbody>
    </table>
  )
}

function Head({ asset: { id, name, assetType } }: { readonly asset: AssetRow }) {
  return (
    <th scope="col">
      <Link to="/assets/$assetId" params={{ assetId: id }} className={styles['name']}>
        <AssetIcon type={assetType} />
        <span>{name}</span>
      </Link>
    </th>
  )
}

interface Veto {
  readonly because: string
  readonly type: string
  readonly a: string
  readonly b: string
}

function Against({ veto }: { readonly veto: Veto }) {
  return (
    <p className={styles['against']}>
      <Badge tone="bad" sign="!">
        Against it
      </Badge>
      {sentenceOf(veto)}
    </p>
  )
}

function sentenceOf({ because, type, a, b }: Veto): string {
  if (because === 'both_live') return 'Both run at the same time.'
  if (because === 'apart')
    return `Both were there at the same time, with nothing in common where they are: ${a} and ${b}.`
  return `Different ${identifierName(type)}: ${a} and ${b}.`
}

interface AnswersProps {
  readonly a: AssetRow
  readonly b: AssetRow
  readonly isOpen: boolean
  /** The name of both, which can be remembered. */
  readonly phone: string | undefined
}

/** The buttons, or the outcome at the same height, which avoids layout shift. */
function Answers({ a, b, isOpen, phone }: AnswersProps) {
  const [isMerging, setMerging] = useState(false)
  const [merged, setMerged] = useState<Merged>()
  const [outcome, setOutcome] = useState<string>()
  const apart = useChange(KeepApartDocument, { onDone: () => setOutcome('Kept apart: not the same.') })
  const remember = useChange(MergeByNameDocument, {
    onDone: ({ mergeAssetsByName: { name } }) =>
      setOutcome(`Every phone called ${phone} is ${name} from now on. See “Remembered names” below.`),
  })
  if (merged) return <UndoMerge merged={merged} />
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
