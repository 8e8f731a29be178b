import { Fragment, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { AssetRow } from '#api/generated/assets.ts'
import { kindName, KindIcon } from '#features/assets/asset-kind.tsx'
import { LastSeen } from '#features/assets/freshness.tsx'
import { identifierName } from '#features/assets/evidence/identifier-labels.ts'
import { MatchReasons, Weight } from '#features/assets/evidence/match-reasons.tsx'
import { madeName } from '#features/assets/made-name.ts'
import { Badge } from '#ui/badge.tsx'
import { Time } from '#ui/time.tsx'
import styles from './duplicate-pair.module.css'
import { PairAnswers } from './pair-answers.tsx'
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
      {mayWrite && <PairAnswers pair={pair} isOpen={isOpen} />}
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
  ['Type', kindName],
  ['Address', ({ ipAddress }) => ipAddress],
  ['MAC', ({ macAddress }) => macAddress],
  ['Serial', ({ serial }) => serial],
  ['System', ({ os }) => os],
  ['Make', madeName],
]

const MAC = /^([\da-f]{2}:){5}[\da-f]{2}$/i

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
              <td>{mine ? breakable(mine) : '–'}</td>
              <td>{theirs ? breakable(theirs) : '–'}</td>
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

/** Hardware addresses break between their groups alone, where a phone has no room for them. */
const breakable = (text: string): ReactNode =>
  MAC.test(text)
    ? text.split(':').map((group, at) => (
        <Fragment key={at}>
          {at > 0 && ':'}
          {at > 0 && <wbr />}
          {group}
        </Fragment>
      ))
    : text

function Head({ asset }: { readonly asset: AssetRow }) {
  return (
    <th scope="col">
      <Link to="/assets/$assetId" params={{ assetId: asset.id }} className={styles['name']}>
        <KindIcon {...asset} />
        <span>{asset.name}</span>
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
