import { Button, Checkbox } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import { Split } from 'lucide-react'
import { useState } from 'react'
import type { AssetData } from '#api/generated/asset.ts'
import { count, many, percent } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { evidenceTree, type EvidenceNode } from './evidence-tree.ts'
import styles from './evidence-panel.module.css'
import { identifierName } from './identifier-labels.ts'
import { MatchReasons } from './match-reasons.tsx'
import { sourceName } from '../source-name.ts'
import { UnlinkDialog } from '../merging/unlink-dialog.tsx'

type Asset = AssetData['asset']

/** Why the observations belong to one asset: a tree whose edges are the shared identifiers. */
export function EvidencePanel({ asset, mayWrite }: { readonly asset: Asset; readonly mayWrite: boolean }) {
  const { observations, links } = asset
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [isUnlinking, setUnlinking] = useState(false)
  const canUnlink = mayWrite && observations.length > 1
  const choice = {
    chosen,
    ...(canUnlink && {
      onChoose: (id: string, isChosen: boolean) =>
        setChosen(isChosen ? [...chosen, id] : chosen.filter((it) => it !== id)),
    }),
  }
  return (
    <Panel
      title="Why this is one asset"
      aside={`${many(observations.length, 'observation')}, ${many(links.length, 'link')}`}
    >
      <p className={styles['intro']}>{introOf(asset)}</p>
      <ul className={styles['tree']}>
        {evidenceTree(observations, links).map((branch) => (
          <TreeNode key={branch.observation.id} branch={branch} choice={choice} />
        ))}
      </ul>
      <ConstraintsAndIgnoredValues asset={asset} />
      {chosen.length > 0 && (
        <Button
          variant="default"
          leftSection={<Split size={14} aria-hidden />}
          disabled={chosen.length === observations.length}
          title={chosen.length === observations.length ? 'One observation has to stay' : ''}
          onClick={() => setUnlinking(true)}
        >
          Separate {many(chosen.length, 'observation')}…
        </Button>
      )}
      {isUnlinking && (
        <UnlinkDialog
          assetId={asset.id}
          observationIds={chosen}
          onClose={() => setUnlinking(false)}
          onDone={() => setChosen([])}
        />
      )}
    </Panel>
  )
}

function introOf({ observations, links }: Asset): string {
  if (observations.length === 1) return 'One source saw it, so there was nothing to join.'
  const weakest = Math.min(...links.map(({ score }) => score))
  const isCertain = links.every(({ because }) => because === 'person')
  if (isCertain) return 'People said that these observations are one thing.'
  return `Each observation is joined to the one above it by what both have in common. From 90% on two are taken for one; the weakest link here has ${percent(weakest)}.`
}

interface Choice {
  readonly chosen: readonly string[]
  readonly onChoose?: (id: string, isChosen: boolean) => void
}

function TreeNode({ branch, choice }: { readonly branch: EvidenceNode; readonly choice: Choice }) {
  const { observation, link, branches } = branch
  const { id, source, sourceKey, lastSeen } = observation
  const { chosen, onChoose } = choice
  return (
    <li className={styles['node']} data-linked={link !== undefined || undefined}>
      {link && <LinkNote link={link} />}
      <div className={styles['card']} data-chosen={chosen.includes(id) || undefined}>
        {onChoose && (
          <Checkbox
            size="xs"
            aria-label={`Select the observation of ${sourceName(source)}`}
            checked={chosen.includes(id)}
            onChange={({ currentTarget }) => onChoose(id, currentTarget.checked)}
          />
        )}
        <span className={styles['source']}>{sourceName(source)}</span>
        <code className={styles['key']} title={sourceKey}>
          {sourceKey}
        </code>
        <span className={styles['when']}>
          <Time at={lastSeen} />
        </span>
      </div>
      {branches.length > 0 && (
        <ul className={styles['branches']}>
          {branches.map((it) => (
            <TreeNode key={it.observation.id} branch={it} choice={choice} />
          ))}
        </ul>
      )}
    </li>
  )
}

function LinkNote({ link }: { readonly link: NonNullable<EvidenceNode['link']> }) {
  return (
    <div className={styles['link']}>
      {link.because === 'person' && <Badge tone="info">A person joined them</Badge>}
      {link.because === 'address' && <Badge>Joined by address alone</Badge>}
      {link.because === 'evidence' && (
        <Badge tone="accent" sign="✓">
          {percent(link.score)} the same
        </Badge>
      )}
      <MatchReasons reasons={link.reasons} />
    </div>
  )
}

function ConstraintsAndIgnoredValues({ asset: { constraints, ignoredValues } }: { readonly asset: Asset }) {
  if (constraints.length === 0 && ignoredValues.length === 0) return null
  return (
    <ul className={styles['notes']}>
      {decisionsOf(constraints).map(({ kind, actor, actorName, reason, at }) => (
        <li key={`${kind} ${actor} ${at} ${reason}`}>
          {kind === 'must_link' ? 'Joined' : 'Kept apart from another'} by{' '}
          <ActorName actor={actor} name={actorName} />, <Time at={at} />
          {reason && reason !== 'manual' && `: ${reason}`}
        </li>
      ))}
      {ignoredValues.map(({ type, value, why }) => (
        <li key={`${type} ${value}`}>
          The {identifierName(type)} <code>{value}</code> counts for nothing: {whyIgnored(why)}
        </li>
      ))}
    </ul>
  )
}

/** One merge ties several observations within a moment: it is told once. */
function decisionsOf(constraints: Asset['constraints']): Asset['constraints'] {
  const minuteOf = (at: string): string => at.slice(0, 'YYYY-MM-DDThh:mm'.length)
  const known = new Map(
    constraints.map((it) => [`${it.kind} ${it.actor} ${minuteOf(it.at)} ${it.reason}`, it]),
  )
  return [...known.values()]
}

/** Display name of an actor, which the server gives as kind and id: `user <id>`. */
function ActorName({ actor, name }: { readonly actor: string; readonly name: string | null }) {
  const { session } = useRouteContext({ from: '/app' })
  if (actor.endsWith(session.user.id)) return 'you'
  return name ?? (ACTORS[actor.split(' ')[0] ?? ''] || 'somebody')
}

/** Labels of actors without a name, and of former members. */
const ACTORS: Readonly<Record<string, string>> = {
  user: 'a person who has left',
  api_key: 'an API key',
  partner_key: 'a partner',
  system: 'the command line',
}

/** The reason why a value is ignored, in words. */
function whyIgnored(why: unknown): string {
  const { because, holders, type } = why as { because?: string; holders?: number; type?: string }
  if (because === 'crowded') return `${count(holders ?? 0)} observations have it.`
  if (because === 'live_agents') return 'machines that run at the same time have it.'
  if (because === 'told_of_many') return 'one source tells it of several machines at once.'
  if (because === 'stronger_values_differ')
    return `things of different ${identifierName(type ?? 'serial')} have it.`
  return 'other assets have it too.'
}
