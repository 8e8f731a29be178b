import type { Ctx } from '#platform/context.ts'
import { controlOf, frameworkOf } from '../catalogue/catalogue.ts'
import { controlStates } from '../evaluation/control-store.ts'
import type { ControlStatus } from '../evaluation/status.ts'
import type { Statement, StatementRow } from './statement.ts'
import * as store from './statement-store.ts'

/** A row with its control. */
export interface StatedControl extends StatementRow {
  readonly title: string
  /** As it was when the statement was approved; of others, as it is now. */
  readonly status: ControlStatus
}

/** In the order of the framework; a control that the framework has no more comes last, under its id. */
export async function statedControls(ctx: Ctx, statement: Statement): Promise<StatedControl[]> {
  const { id, framework } = statement
  const statuses = await statusesOf(ctx, statement)
  const order = new Map(frameworkOf(framework)?.controls.map((control, at) => [control.id, at]))
  const placeOf = ({ controlId }: StatementRow) => order.get(controlId) ?? order.size
  return (await store.rows(ctx, id))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((row) => ({
      ...row,
      title: controlOf(framework, row.controlId)?.title ?? row.controlId,
      status: statuses.get(row.controlId) ?? 'not_assessed',
    }))
}

async function statusesOf(
  ctx: Ctx,
  { id, framework, approvedAt }: Statement,
): Promise<ReadonlyMap<string, ControlStatus>> {
  if (approvedAt !== null) return frozenStatuses(await store.content(ctx, id))
  const states = (await controlStates(ctx)).filter((it) => it.framework === framework)
  return new Map(states.map(({ controlId, status }) => [controlId, status]))
}

/** What is approved: canonical JSON of it is what the digest is of. */
interface FrozenStatement {
  readonly tenant: string
  readonly framework: string
  readonly version: number
  readonly approved_at: string
  readonly approved_by: string
  readonly role: string
  readonly rows: readonly FrozenRow[]
}

interface FrozenRow {
  readonly control: string
  readonly title: string
  readonly applicable: boolean
  readonly justification: string
  readonly implementation: string
  readonly owner: string
  readonly measures: string
  readonly evidence: string
  readonly risks: string
  readonly reviewed_on: string
  readonly next_review_on: string
  readonly status: ControlStatus
}

/** As it is approved now, by who asks. */
export async function freeze(ctx: Ctx, statement: Statement, role: string): Promise<FrozenStatement> {
  const { framework, version } = statement
  return {
    tenant: ctx.tenantId,
    framework,
    version,
    approved_at: ctx.now().toISOString(),
    approved_by: ctx.actor.name ?? ctx.actor.id,
    role,
    rows: (await statedControls(ctx, statement)).map(
      ({ controlId, isApplicable, reviewedOn, nextReviewOn, ...row }) => ({
        ...row,
        control: controlId,
        applicable: isApplicable,
        reviewed_on: reviewedOn,
        next_review_on: nextReviewOn,
      }),
    ),
  }
}

function frozenStatuses(content: Buffer | null): ReadonlyMap<string, ControlStatus> {
  if (!content) return new Map()
  const { rows } = JSON.parse(content.toString('utf8')) as FrozenStatement
  return new Map(rows.map(({ control, status }) => [control, status]))
}
