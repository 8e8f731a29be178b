import { userNames } from '#features/tenancy/tenancy.ts'
import { permit, type Ctx } from '#platform/context.ts'
import type { Asset } from '../asset.ts'
import { getAsset } from '../asset-by-id.ts'
import { NO_EDITS } from '../attributes/asset-values.ts'
import type { Reason } from '../identity/evidence.ts'
import type { Link } from '../identity/partial-cluster.ts'
import { cluster } from '../identity/identity.ts'
import * as store from '../intake/observation-read-store.ts'
import type { IdentifierType } from '../observation.ts'
import { assetsById } from '../asset-store.ts'
import { candidateValues, type ExplainedAttribute } from '../attributes/candidate-values.ts'
import { overrideAuthors } from '../editing/edits-store.ts'
import { recognitionProof, type RecognitionProof } from '../recognition/recognition-proof.ts'
import { rememberedNames } from '../remembered-names/remembered-name-store.ts'
import { matchRecordOf, type ObservationRecord, type Payload } from '../intake/observation-record.ts'
import { valueKey } from '../identity/match-record.ts'

/** Why these observations form one asset, and where its attribute values come from. */
export interface Explanation {
  readonly asset: Asset
  readonly observations: readonly ExplainedObservation[]
  /** The links that joined them, highest score first: one fewer than there are observations. */
  readonly links: readonly ExplainedLink[]
  /** Must-link and cannot-link constraints of people on these observations. */
  readonly constraints: readonly ExplainedConstraint[]
  /** Identifier values of this asset that are ignored as evidence because several machines share them. */
  readonly ignored: readonly store.IgnoredValue[]
  readonly attributes: readonly ExplainedAttribute[]
  readonly recognition: RecognitionProof
}

export interface ExplainedConstraint extends store.RecordedConstraint {
  /** Name of the person; null for another actor. */
  readonly actorName: string | null
}

export interface ExplainedObservation {
  readonly id: string
  /** Kind and name. */
  readonly source: string
  readonly sourceId: string
  readonly sourceKey: string
  readonly firstSeen: string
  readonly lastSeen: string
  /** The merged reports: of each attribute, fact and identifier type the newest value. */
  readonly payload: Payload
  readonly identifiers: readonly ExplainedIdentifier[]
}

export interface ExplainedIdentifier {
  readonly type: IdentifierType
  readonly value: string
  readonly firstSeen: string
  /** Null while the newest report has it. */
  readonly lastSeen: string | null
}

export interface ExplainedLink {
  readonly because: Link['because']
  readonly a: string
  readonly b: string
  readonly score: number
  readonly reasons: readonly Reason[]
}

export async function explainAsset(ctx: Ctx, id: string): Promise<Explanation> {
  permit(ctx, 'assets:read')
  const asset = await getAsset(ctx, id)
  const members = await store.observedOfAssets(ctx, [id])
  const ids = members.map((member) => member.id)
  const [constraints, said, shared, edits, signed] = await Promise.all([
    store.constraintsAbout(ctx, ids),
    store.recordedConstraints(ctx, ids),
    store.ignoredValues(ctx, ids),
    assetsById(ctx, [id]),
    overrideAuthors(ctx, id),
  ])
  const keys = new Set(shared.map(({ type, value }) => valueKey(type, value)))
  const remembered = await rememberedNames(ctx)
  const matchRecords = members.map((each) => matchRecordOf(each, remembered))
  const clusters = cluster({ matchRecords, constraints, shared: keys })
  const names = await userNames(ctx, [...said, ...signed].map(idOf))
  const nameOf = (it: Acted): string | null => names.get(idOf(it)) ?? null
  const { attributes, identification } = candidateValues({
    members,
    edits: edits[0] ?? NO_EDITS,
    overrideAuthors: signed.map((each) => ({ ...each, name: nameOf(each) })),
  })
  return {
    asset,
    observations: members.toSorted((x, y) => x.firstSeen - y.firstSeen).map(explainObservation),
    links: clusters.flatMap(({ links }) => links).map(explainLink),
    constraints: said.map((each) => ({ ...each, actorName: nameOf(each) })),
    ignored: shared,
    attributes,
    recognition: recognitionProof(identification),
  }
}

type Acted = Pick<store.RecordedConstraint, 'actor'>

/** The user id in an actor such as `user <id>`; empty for other kinds of actor. */
const idOf = ({ actor }: Acted): string => /^user (.+)$/.exec(actor)?.[1] ?? ''

const rfc3339 = (ms: number): string => new Date(ms).toISOString()

function explainObservation({
  id,
  source,
  sourceKey,
  firstSeen,
  lastSeen,
  identifiers,
  combined,
}: ObservationRecord): ExplainedObservation {
  return {
    id,
    source: `${source.kind} ${source.name}`,
    sourceId: source.id,
    sourceKey,
    firstSeen: rfc3339(firstSeen),
    lastSeen: rfc3339(lastSeen),
    payload: combined,
    identifiers: identifiers.map(({ type, value, ...when }) => ({
      type,
      value,
      firstSeen: rfc3339(when.firstSeen),
      lastSeen: when.lastSeen === undefined ? null : rfc3339(when.lastSeen),
    })),
  }
}

function explainLink({ because, a, b, score, reasons }: Link): ExplainedLink {
  return { because, a: a.id, b: b.id, score, reasons }
}
