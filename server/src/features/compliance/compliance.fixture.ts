import { sql } from 'kysely'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { createCheck } from './checks/own-checks.ts'
import { adoptFramework, evaluateNow } from './compliance.ts'

export const CSF = 'nist-csf-2.0'
/** A control that no shipped check judges. */
export const FREE = 'GV.PO-01'
export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

export interface JudgedScene {
  readonly checkId: string
  /** Ids of the assets of which the check finds each outcome. */
  readonly ok: string
  readonly failed: string
  readonly unknown: string
}

/** An adopted framework whose control FREE is judged by one check of the tenant's own, over three assets. */
export async function judgedScene(ctx: Ctx): Promise<JudgedScene> {
  const of = (name: string, serial?: string) => ({
    sourceKey: name,
    seenAt: ctx.now(),
    name,
    tags: ['judged'],
    identifiers: [
      { type: 'hostname' as const, value: name },
      ...(serial === undefined ? [] : [{ type: 'serial' as const, value: serial }]),
    ],
    ...(serial !== undefined && { serial }),
  })
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    of('good', 'ACME10017'),
    of('bad', 'BOLT20018'),
    of('silent'),
  ])
  const rows = await ctx.db.all(sql<{ id: string; name: string }>`
    select id, hostname as name from assets where tenant_id = ${ctx.tenantId}`)
  const idOf = (name: string) => rows.find((it) => it.name === name)?.id ?? ''
  await adoptFramework(ctx, CSF)
  const { id: checkId } = await createCheck(ctx, {
    title: 'Serial numbers begin with A',
    scope: 'tag = judged',
    condition: 'serial : acme',
    severity: 'medium',
    next: 'Look at the label.',
    controls: [{ framework: CSF, controlId: FREE }],
    tolerance: '0',
  })
  await evaluateNow(ctx)
  return { checkId, ok: idOf('good'), failed: idOf('bad'), unknown: idOf('silent') }
}
