import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Listed } from '#platform/http/paging.ts'
import { newUuid } from '#platform/uuid.ts'
import { adoptions } from '../adoption-store.ts'
import { assessableControlOf } from '../catalogue/catalogue.ts'
import { judgeControls } from '../evaluation/judge-controls.ts'
import * as store from './attestation-store.ts'

/** Attestations: what people state about controls. The control is judged again in the same transaction. */

const STATEMENT_LENGTH_MAX = 4_000
const DAYS_MAX = 365
const DAY_MS = 86_400_000

export interface NewAttestation {
  readonly framework: string
  readonly controlId: string
  readonly statement: string
  /** RFC 3339, at most 365 days ahead. */
  readonly validUntil: string
}

/** Those in force that end within so many days, the soonest first; `limit` at most, and how many there are. */
export function attestationsEndingWithin(
  ctx: Ctx,
  days: number,
  limit: number,
): Promise<Listed<store.Attestation>> {
  permit(ctx, 'compliance:read')
  return store.endingBefore(ctx, new Date(ctx.now().getTime() + days * DAY_MS), limit)
}

/** In place of the one in force, if there is one. */
export async function attestControl(ctx: Ctx, input: NewAttestation): Promise<store.Attestation> {
  permit(ctx, 'compliance:write')
  const statement = input.statement.trim()
  if (statement === '' || statement.length > STATEMENT_LENGTH_MAX)
    throw invalid('statement', `must have 1 to ${STATEMENT_LENGTH_MAX} characters`)
  const ahead = Date.parse(input.validUntil) - ctx.now().getTime()
  if (!(ahead > 0 && ahead <= DAYS_MAX * DAY_MS))
    throw invalid('validUntil', `must lie in the future, at most ${DAYS_MAX} days ahead`)
  return atomically(ctx, async (inner) => {
    await requireControl(inner, input)
    await store.withdraw(inner, input)
    const attestation = {
      ...input,
      statement,
      id: newUuid(inner.now()),
      attestedAt: inner.now().toISOString(),
      attestedByName: inner.actor.name ?? inner.actor.id,
    }
    await store.add(inner, attestation)
    await record(inner, 'compliance_control.attested', subjectOf(input), { ...input, statement })
    await judgeControls(inner)
    return attestation
  })
}

/** 404 where none is in force. */
export async function withdrawAttestation(
  ctx: Ctx,
  control: Pick<NewAttestation, 'framework' | 'controlId'>,
): Promise<void> {
  permit(ctx, 'compliance:write')
  await atomically(ctx, async (inner) => {
    if (!(await store.withdraw(inner, control))) throw notFound('attestation')
    await record(inner, 'compliance_control.attestation_withdrawn', subjectOf(control))
    await judgeControls(inner)
  })
}

const subjectOf = ({ framework, controlId }: Pick<NewAttestation, 'framework' | 'controlId'>) => ({
  type: 'compliance_control',
  id: `${framework} ${controlId}`,
})

async function requireControl(
  ctx: Ctx,
  { framework, controlId }: Pick<NewAttestation, 'framework' | 'controlId'>,
): Promise<void> {
  if (!assessableControlOf(framework, controlId)) throw notFound('control')
  if (!(await adoptions(ctx)).some((it) => it.framework === framework))
    throw invalid('framework', 'must be adopted first')
}
