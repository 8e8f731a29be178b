import { permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { extent } from '../store.ts'
import * as store from './proof-store.ts'
import { PROOF_FORMAT, signedBytes, type Checkpoint, type Proof } from './verify-proof.ts'

/** Proofs that can be checked without the installation: what is proved, links of the log, and a signed checkpoint. */

const ENTRIES_MAX = 10_000

/** Of the entry that names the digest of a document. 404 where none does. For the feature that owns the document. */
export async function proofOf(
  ctx: Ctx,
  kind: Exclude<Proof['kind'], 'audit'>,
  {
    document,
    digest,
    subject,
  }: {
    readonly document: unknown
    /** As the details of the entry name it, `sha256` or `digest`; hexadecimal. */
    readonly digest: string
    readonly subject: { readonly type: string; readonly id: string }
  },
): Promise<Proof> {
  const seq = await store.seqNaming(ctx, { subjectType: subject.type, subjectId: subject.id, digest })
  if (seq === undefined) throw notFound('audit entry')
  return { ...(await chain(ctx, { first: seq, last: seq })), kind, document }
}

/** Entries from one instant until before another, at most 10,000. 404 where there are none. */
export async function auditExtract(ctx: Ctx, from: string, until: string): Promise<Proof> {
  permit(ctx, 'audit:read')
  const [start, end] = [instantIn('from', from), instantIn('until', until)]
  const range = await store.rangeBetween(ctx, start, end)
  if (!range) throw notFound('audit entry')
  if (range.last - range.first >= ENTRIES_MAX)
    throw invalid('from', `leaves more than ${ENTRIES_MAX} entries; ask for a shorter time`)
  return chain(ctx, range)
}

function instantIn(field: string, text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw invalid(field, 'must be an RFC 3339 timestamp')
  return at
}

async function chain(ctx: Ctx, range: store.Range): Promise<Proof> {
  const found = await store.links(ctx, range)
  const [first, last] = [found[0], found.at(-1)]
  if (!first || !last) throw notFound('audit entry')
  return {
    format: PROOF_FORMAT,
    kind: 'audit',
    before: first.before,
    links: found.map(({ seq, text, hash }) => ({ seq, text, hash })),
    checkpoint: await signed(ctx, last),
  }
}

/** Signs the last link of the tenant's log, once; called every day. */
export async function signCheckpoint(ctx: Ctx): Promise<void> {
  const { head } = await extent(ctx)
  if (!head) return
  const { seq, hash, signed_at: signedAt, signature } = await signed(ctx, head)
  await store.addCheckpoint(ctx, { seq, hash, signedAt, signature: Buffer.from(signature, 'base64') })
}

/** The newest first. */
export function listCheckpoints(ctx: Ctx, limit = 100): Promise<store.SignedLink[]> {
  permit(ctx, 'audit:read')
  return store.checkpoints(ctx, limit)
}

async function signed(ctx: Ctx, { seq, hash }: { seq: number; hash: string }): Promise<Checkpoint> {
  const claim = { tenant: ctx.tenantId, seq, hash, signed_at: ctx.now().toISOString() }
  const { publicKey, signature } = await ctx.sign(signedBytes(claim))
  return { ...claim, signature: signature.toString('base64'), public_key: publicKey.toString('base64') }
}
