import { noteFeedsAndEnds } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { lockAdoptions } from '../adoption-store.ts'
import { allChecks, checksOf } from '../checks/all-checks.ts'
import type { Check } from '../checks/check.ts'
import { compileCheck, compileScope, scopeOf } from './check-sql-store.ts'
import { draftForChangedFrameworks } from '../statements/drafts.ts'
import { addDrift, markDue } from './due-store.ts'
import { judgeControls } from './judge-controls.ts'
import { asSystem, judgeDue } from './judge-due.ts'
import * as store from './result-store.ts'
import * as scopeStore from './scope-store.ts'

const ASSETS_AT_ONCE = 5_000

/**
 * Judges every check that an adopted framework asks for over all assets, each in a transaction of its own, then all
 * controls in one, so that no status is published that half of a round led to. Counts are taken anew, so that none can
 * drift. Safe to repeat.
 */
export async function evaluateAll(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const system = asSystem(ctx)
  await noteFeedsAndEnds(system)
  await findScopes(system, signal)
  for (const check of await wantedChecks(system)) {
    signal?.throwIfAborted()
    await atomically(system, (inner) => evaluateCheck(inner, check))
  }
  await atomically(system, async (inner) => {
    const checks = await wantedChecks(inner)
    await judgeControls(inner)
    await store.removeOthers(
      inner,
      checks.map(({ id }) => id),
    )
    await noteDrift(inner, await scopeStore.recountScopes(inner))
    const gone = await scopeStore.goneAssets(inner, ASSETS_AT_ONCE)
    if (gone.length > 0) await markDue(inner, gone)
  })
  await judgeDue(system, signal)
  await draftForChangedFrameworks(system)
}

/** Locks the adoptions, in a transaction; so nobody adds or takes a framework until its end. */
async function wantedChecks(ctx: Ctx): Promise<Check[]> {
  const adopted = (await lockAdoptions(ctx)).map(({ framework }) => framework)
  return checksOf(await allChecks(ctx), adopted)
}

/** In which of the scopes each asset is. */
async function findScopes(ctx: Ctx, signal: AbortSignal | undefined): Promise<void> {
  await atomically(ctx, async (inner) => {
    const subject = await inner.conditions.on(inner, 'asset')
    const scopes = (await wantedChecks(inner)).flatMap((check) => scopeIfReadable(subject, check) ?? [])
    const readable: string[] = []
    for (const scope of new Set(scopes))
      if (typeof (await compileScope(inner, scope, { subject }).catch(faultOf)) !== 'string')
        readable.push(scope)
    await scopeStore.replaceScopes(inner, readable)
  })
  for (let after: string | null = null; ;) {
    signal?.throwIfAborted()
    const from: string | null = after
    after = await atomically(ctx, (inner) => findScopesOfSome(inner, from))
    if (after === null) return
  }
}

/** Answers the last asset; null: there are no more. */
async function findScopesOfSome(ctx: Ctx, after: string | null): Promise<string | null> {
  await lockAdoptions(ctx)
  const subject = await ctx.conditions.on(ctx, 'asset')
  const compiled: scopeStore.CompiledScope[] = []
  for (const it of await scopeStore.scopes(ctx))
    compiled.push({ ...it, isIn: await compileScope(ctx, it.scope, { isOfFew: true, subject }) })
  const { from } = subject
  const range = { after, limit: ASSETS_AT_ONCE }
  const { last, changed } = await scopeStore.nextAssets(
    ctx,
    { from, scopes: scopeStore.scopesOf(compiled) },
    range,
  )
  await scopeStore.writeScopes(ctx, changed)
  return last
}

function scopeIfReadable(subject: Subject, check: Check): string | undefined {
  try {
    return scopeOf(subject, check)
  } catch (error) {
    faultOf(error)
    return undefined
  }
}

async function evaluateCheck(ctx: Ctx, check: Check): Promise<void> {
  await lockAdoptions(ctx)
  await store.lockState(ctx, check.id)
  const subject = await ctx.conditions.on(ctx, 'asset')
  const compiled = await compileCheck(ctx, check, { subject }).catch(faultOf)
  if (typeof compiled === 'string') return store.writeFault(ctx, check.id, compiled)
  await noteDrift(ctx, await store.driftOf(ctx, check.id))
  const found = await store.judgeAll(ctx, check.id, compiled)
  const excepted = await store.countExcepted(ctx, check.id)
  const scope = scopeOf(subject, check)
  await store.writeState(ctx, { checkId: check.id, ...found, excepted, revision: check.revision, scope })
}

async function noteDrift(ctx: Ctx, assets: number): Promise<void> {
  if (assets === 0) return
  ctx.log.error({ tenantId: ctx.tenantId, assets }, 'compliance counts had drifted and were corrected')
  await addDrift(ctx, assets)
}

/** A condition that was valid when it was saved, and is not any more, is a fault of the check, not of the round. */
function faultOf(error: unknown): string {
  if (error instanceof Refusal) return error.message
  throw error
}
