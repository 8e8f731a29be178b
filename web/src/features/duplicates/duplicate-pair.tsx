import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { KeepApartDocument, type AssetRow, type PossibleDuplicatesData } from '#api/generated/operations.ts'
import { useChange } from '#api/query-client.ts'
import { AssetIcon } from '#features/assets/asset-icon.tsx'
import { typeName } from '#features/assets/asset-types.ts'
import { LastSeen } from '#features/assets/freshness.tsx'
import { identifierName } from '#features/assets/evidence/identifier-labels.ts'
import { MergeDialog } from '#features/assets/merging/merge-dialog.tsx'
import { MatchReasons, Weight } from '#features/assets/evidence/match-reasons.tsx'
import { Badge } from '#ui/badge.tsx'
import styles from './duplicate-pair.module.css'

type Pair = PossibleDuplicatesData['possibleDuplicates']['items'][number]

/** Two assets side by side, what speaks for one thing and what against it, and the two answers. */
export function DuplicatePair({ pair, mayWrite }: { readonly pair: Pair; readonly mayWrite: boolean }) {
  const { assetA, assetB, score, reasons, veto } = pair
  return (
    <article className={styles['card']} aria-label={`${assetA.name} and ${assetB.name}`}>
      <Comparison a={assetA} b={assetB} />
      <div className={styles['evidence']}>
        <div className={styles['score']}>
          <Badge tone="warn" sign="◐">
            Possibly the same
          </Badge>
          <Weight share={score} />
        </div>
        <MatchReasons reasons={reasons} />
        {veto !== null && <Against veto={veto as Veto} />}
      </div>
      {mayWrite && <Answers a={assetA} b={assetB} />}
    </article>
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

function Against({ veto: { because, type, a, b } }: { readonly veto: Veto }) {
  return (
    <p className={styles['against']}>
      <Badge tone="bad" sign="!">
        Against it
      </Badge>
      {because === 'both_live'
        ? 'Both run at the same time.'
        : `Different ${identifierName(type)}: ${a} and ${b}.`}
    </p>
  )
}

function Answers({ a, b }: { readonly a: AssetRow; readonly b: AssetRow }) {
  const [isMerging, setMerging] = useState(false)
  const apart = useChange(KeepApartDocument, { done: `${a.name} and ${b.name} are kept apart` })
  return (
    <div className={styles['answers']}>
      <Button onClick={() => setMerging(true)}>Merge…</Button>
      <Button
        variant="default"
        loading={apart.isPending}
        onClick={() => apart.mutate({ assetIdA: a.id, assetIdB: b.id })}
      >
        Not the same
      </Button>
      {isMerging && <MergeDialog a={a} b={b} onClose={() => setMerging(false)} />}
    </div>
  )
}
