import type { Ctx } from '#platform/context.ts'
import { controlOf, frameworkOf } from '../catalogue/catalogue.ts'
import { allChecks } from '../checks/all-checks.ts'
import { controlStates } from '../evaluation/control-store.ts'
import type { ControlStatus } from '../evaluation/status.ts'
import { exceptionsInForce } from '../exceptions/exception-store.ts'
import type { Implementation, Statement, StatementRow } from './statement.ts'
import * as store from './statement-store.ts'

/** A row with its control. */
export interface StatedControl extends StatementRow {
  readonly title: string
  /** As it was when the statement was approved; of others, as it is now. */
  readonly status: ControlStatus
  /** From it and its checks, in words: those in force when the statement was approved; of others, now. */
  readonly exceptions: readonly string[]
}

/**
 * An approved statement as it was frozen, whatever the catalogue says now. In the order of the framework; a control that
 * the framework has no more comes last, under its id.
 */
export async function statedControls(ctx: Ctx, statement: Statement): Promise<StatedControl[]> {
  const { id, framework, approvedAt } = statement
  const content = approvedAt === null ? null : await store.content(ctx, id)
  if (content) return frozenControls(content)
  const states = (await controlStates(ctx)).filter((it) => it.framework === framework)
  const statuses = new Map(states.map(({ controlId, status }) => [controlId, status]))
  const exceptions = await exceptionsByControl(ctx, framework)
  const order = new Map(frameworkOf(framework)?.controls.map((control, at) => [control.id, at]))
  const placeOf = ({ controlId }: StatementRow) => order.get(controlId) ?? order.size
  return (await store.rows(ctx, id))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((row) => ({
      ...row,
      title: controlOf(framework, row.controlId)?.title ?? row.controlId,
      status: statuses.get(row.controlId) ?? 'not_assessed',
      exceptions: exceptions.get(row.controlId) ?? [],
    }))
}

/** `Telnet is switched off, until 2027-03-31: printers of the plant`, by control. */
async function exceptionsByControl(ctx: Ctx, framework: string): Promise<Map<string, string[]>> {
  const checks = new Map((await allChecks(ctx)).map((check) => [check.id, check]))
  const found = new Map<string, string[]>()
  for (const it of await exceptionsInForce(ctx)) {
    const check = checks.get(it.checkId ?? '')
    const ofControl = it.controlId !== null && it.framework === framework ? [it.controlId] : []
    for (const id of check?.controls[framework] ?? ofControl)
      found.set(id, [
        ...(found.get(id) ?? []),
        `${check?.title ?? 'All its checks'}, until ${it.expiresAt.slice(0, 'YYYY-MM-DD'.length)}: ${it.reason}`,
      ])
  }
  return found
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
  readonly implementation: Implementation
  readonly owner: string
  readonly measures: string
  readonly evidence: string
  readonly risks: string
  readonly reviewed_on: string
  readonly next_review_on: string
  readonly status: ControlStatus
  /** Absent from statements of earlier versions of the product. */
  readonly exceptions?: readonly string[]
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
      ({ controlId, isApplicable, reviewedOn, nextReviewOn, isNew: _isNew, ...row }) => ({
        ...row,
        control: controlId,
        applicable: isApplicable,
        reviewed_on: reviewedOn,
        next_review_on: nextReviewOn,
      }),
    ),
  }
}

function frozenControls(content: Buffer): StatedControl[] {
  const { rows } = JSON.parse(content.toString('utf8')) as FrozenStatement
  return rows.map(({ control, applicable, reviewed_on, next_review_on, exceptions = [], ...row }) => ({
    ...row,
    controlId: control,
    isApplicable: applicable,
    reviewedOn: reviewed_on,
    nextReviewOn: next_review_on,
    isNew: false,
    exceptions,
  }))
}
