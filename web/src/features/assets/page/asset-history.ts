import type { AssetAuditData, AssetData } from '#api/generated/asset.ts'
import { actionInWords } from '#features/audit/audit-words.ts'
import { identifierName } from '../evidence/identifier-labels.ts'
import { sourceName } from '../source-name.ts'

interface Event {
  readonly id: string
  readonly at: string
  readonly title: string
  readonly text: string
}

const EVENTS_MAX = 30
/** Keys of agents are long hashes, which are truncated. */
const KEY_SHOWN_MAX = 40

type Entry = AssetAuditData['auditEntries']['items'][number]

/**
 * The history of an asset, newest first: observations of sources, and the audit log's entries if the person may read
 * that.
 */
export function assetHistory(
  { observations, constraints }: AssetData['asset'],
  audit: readonly Entry[] | undefined,
): readonly Event[] {
  const arrivals = observations.map(({ id, source, sourceKey, firstSeen }) => ({
    id,
    at: firstSeen,
    title: `${sourceName(source)} saw it first`,
    text: sourceKey.length > KEY_SHOWN_MAX ? `${sourceKey.slice(0, KEY_SHOWN_MAX)}…` : sourceKey,
  }))
  const changes = observations.flatMap(({ id, source, identifiers, firstSeen: arrival }) =>
    identifiers.flatMap(({ type, value, firstSeen, lastSeen }) => {
      const name = identifierName(type)
      const key = `${id} ${type} ${value}`
      const came = {
        id: `${key} came`,
        at: firstSeen,
        title: `New ${name}`,
        text: `${value}, told by ${sourceName(source)}`,
      }
      const went = {
        id: `${key} went`,
        at: lastSeen ?? '',
        title: `No more ${name}`,
        text: `${value}, told by ${sourceName(source)}`,
      }
      return [...(firstSeen > arrival ? [came] : []), ...(lastSeen === null ? [] : [went])]
    }),
  )
  const edits = audit ? audit.map(auditEvent) : constraints.map(constraintEvent)
  return [...arrivals, ...changes, ...edits].toSorted((x, y) => y.at.localeCompare(x.at)).slice(0, EVENTS_MAX)
}

const auditEvent = ({ id, at, action, actorName, actorKind }: Entry): Event => ({
  id,
  at,
  title: actionInWords(action),
  text: `by ${actorName ?? actorKind}`,
})

const constraintEvent = ({
  kind,
  a,
  b,
  actorName,
  reason,
  at,
}: AssetData['asset']['constraints'][number]): Event => ({
  id: `${a} ${b}`,
  at,
  title: `${kind === 'must_link' ? 'Joined' : 'Kept apart from another'} by ${actorName ?? 'a person'}`,
  text: reason === 'manual' ? '' : reason,
})
