import { setTimeout as sleep } from 'node:timers/promises'
import { features } from '../../app.ts'
import type { Config } from '../../config.ts'
import { openInstallation, reachDatabase } from '../../startup/installation.ts'
import { openRuntime, type Runtime } from '../../startup/runtime.ts'
import { secretKeyIn } from '../../startup/secret-key.ts'
import { verifyAudit } from '#features/audit/audit.ts'
import { closeMoved, getTenantBySlug } from '#features/tenancy/tenancy.ts'
import * as moves from '#platform/cells/moving/move-store.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { withOwner } from '#platform/database/connect-primary.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { openNet } from '#platform/egress/net.ts'
import { openLog } from '#platform/observability/log.ts'
import { openCarriage, type Carried } from './carry.ts'
import { otherCell, type OtherCell, type OtherCellOptions } from './other-cell.ts'

export interface MoveOptions extends OtherCellOptions {
  readonly slug: string
  /** For jobs and deliveries that are under way. */
  readonly waitSeconds: number
}

const LOOK_MS = 50
/** A job meets the refusal with its next write, or is at it for long without one. */
const FROZEN_WAIT_MS = 15_000

/**
 * Moves a tenant to another installation. Killed at any line, it is run again: until the commit there, nothing has moved; from
 * it on, all has.
 */
export async function moveTenant(config: Config, options: MoveOptions): Promise<CommandResult> {
  const other = await otherCell(config, options)
  const { where, postgres } = await reachDatabase(config)
  const installation = await openInstallation(config, openLog(config.logLevel))
  try {
    return await moved({ config, where, other, runtime: installation.runtime }, options)
  } finally {
    await installation.close()
    await postgres?.release()
  }
}

interface Moving {
  readonly config: Config
  readonly where: DatabaseAddress
  readonly other: OtherCell
  readonly runtime: Runtime
}

async function moved(moving: Moving, { slug, waitSeconds }: MoveOptions): Promise<CommandResult> {
  const { other, where, runtime } = moving
  const { system } = runtime
  const earlier = await moves.moveOf(system, slug)
  if (earlier?.movedAt) throw conflict(`${slug} was moved to ${earlier.address} already`)
  const { id } = await getTenantBySlug(system, slug)
  await refuseTaken(other, { id, slug })
  const begunAt = performance.now()
  const brought = (await isThere(other, id)) ? undefined : await bring(moving, { id, slug }, waitSeconds)
  await withOwner(where, async (client) => {
    await client.query('begin')
    await moves.noteMoved(client, id)
    await closeMoved(client, id)
    await client.query('commit')
  })
  const chain = await auditThere(other, id)
  const seconds = (performance.now() - begunAt) / 1_000
  return {
    json: { slug, cell: other.cell, address: other.address, ...brought, audit: chain },
    text: [
      `${slug} is served by cell ${other.cell} at ${other.address} now, after ${seconds.toFixed(1)} s.`,
      ...(brought
        ? [
            `${brought.rows} rows of ${brought.tables} tables, each compared; ${brought.resealed} secrets sealed anew. Writes were refused for ${(brought.frozen_ms / 1_000).toFixed(1)} s.`,
          ]
        : ['It had arrived before.']),
      chain.faults.length === 0
        ? `Its audit log is whole there: ${chain.entries} entries.`
        : `Its audit log there has faults: ${chain.faults.join('; ')}`,
      'Lead its host name there (rollcall cell map); its rows here are deleted meanwhile.',
    ].join('\n'),
    ...(chain.faults.length > 0 && { isBad: true }),
  }
}

/** Most is copied while the tenant is at work, the rest once nothing is written for it any more. */
async function bring(
  moving: Moving,
  { id, slug }: { readonly id: string; readonly slug: string },
  waitSeconds: number,
): Promise<Carried & { readonly frozen_ms: number }> {
  const { config, where, other, runtime } = moving
  const secretKey = config.secretKey ?? (await secretKeyIn(config.dataDir))
  const carriage = await openCarriage(where, other, { tenantId: id, secretKey, say })
  try {
    say('copying, while it is at work')
    await carriage.copyAhead()
    await moves.begin(runtime.system, { id, slug, cell: other.cell, address: other.address })
    say('waiting for what is under way')
    await untilQuiet(moving, id, waitSeconds)
    await carriage.catchUp()
    const frozenAt = performance.now()
    await untilFrozen(moving, id)
    say('frozen; copying what was written meanwhile')
    const carried = await carriage.finish()
    say('arrived')
    return { ...carried, frozen_ms: Math.round(performance.now() - frozenAt) }
  } finally {
    carriage.close()
  }
}

/** Progress, apart from the answer. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Lets the tenant be written here again. */
export async function cancelMove(config: Config, options: MoveOptions): Promise<CommandResult> {
  const other = await otherCell(config, options)
  const { runtime, close } = await openInstallation(config, openLog(config.logLevel))
  try {
    const move = await moves.moveOf(runtime.system, options.slug)
    if (!move || move.movedAt) throw notFound('a move of this organisation that has begun')
    if (await isThere(other, move.id))
      throw conflict(`${options.slug} has arrived there; run the move to its end`)
    await moves.cancel(runtime.system, move.id)
    return { json: { slug: options.slug, cancelled: true }, text: `${options.slug} stays here.` }
  } finally {
    await close()
  }
}

/** Until nothing is under way for the tenant, or nothing but jobs when the time is over: these end once they cannot write. */
async function untilQuiet(moving: Moving, id: string, waitSeconds: number): Promise<void> {
  const { system } = moving.runtime
  const open = await moves.underWay(system)
  const end = performance.now() + waitSeconds * 1_000
  for (;;) {
    const isOver = performance.now() > end
    const areEnded = await moves.areEnded(system, open)
    const features = await busyFeatures(moving, id)
    const jobs = await moves.runningJobs(system, id)
    if (areEnded && features.length === 0 && (isOver || jobs.length === 0)) return
    if (isOver) await giveUp(moving, id, areEnded ? features : ['transactions'])
    await sleep(LOOK_MS)
  }
}

/** From now on nothing can be written; a job that goes on without writing is not cut. */
async function untilFrozen(moving: Moving, id: string): Promise<void> {
  const { system } = moving.runtime
  const open = await moves.freeze(system, id)
  const end = performance.now() + FROZEN_WAIT_MS
  for (;;) {
    const isOpen = !(await moves.areEnded(system, open))
    const busy = [...(await moves.runningJobs(system, id)), ...(await busyFeatures(moving, id))]
    if (!isOpen && busy.length === 0) return
    if (performance.now() > end) await giveUp(moving, id, isOpen ? ['transactions'] : busy)
    await sleep(LOOK_MS)
  }
}

async function giveUp({ runtime }: Moving, id: string, busy: readonly string[]): Promise<never> {
  await moves.cancel(runtime.system, id)
  throw conflict(
    `still under way for it: ${busy.join(', ')}; nothing was moved: wait for the end of scans and reports, and run it again`,
  )
}

async function busyFeatures({ runtime }: Moving, id: string): Promise<string[]> {
  const ctx = runtime.contextFor(id)
  const busy: string[] = []
  for (const { name, isBusy } of features) if (await isBusy?.(ctx)) busy.push(name)
  return busy
}

const isThere = ({ where }: OtherCell, id: string): Promise<boolean> =>
  withOwner(where, async (client) => {
    const { rowCount } = await client.query('select from tenants where id = $1 and closed_at is null', [id])
    return rowCount === 1
  })

async function refuseTaken({ where }: OtherCell, { id, slug }: { id: string; slug: string }): Promise<void> {
  await withOwner(where, async (client) => {
    const { rows } = await client.query<{ id: string; is_leaving: boolean }>(
      'select id, closed_at is not null as is_leaving from tenants where slug = $1 or id = $2',
      [slug, id],
    )
    if (rows.some((it) => it.id !== id)) throw conflict(`${slug} is the name of another organisation there`)
    if (rows[0]?.is_leaving)
      throw conflict(
        `rows of an earlier stay of ${slug} are still being deleted there; try again in half an hour`,
      )
  })
}

/** With the means of the installation there. */
async function auditThere({ where, secretKey }: OtherCell, id: string) {
  const net = openNet({ allowPrivate: [], own: [] })
  const runtime = openRuntime({ where, secretKey, features, net, log: openLog('warn'), connections: 1 })
  try {
    const { entries, faults } = await verifyAudit(runtime.contextFor(id))
    return { entries, faults }
  } finally {
    await runtime.close()
    await net.close()
  }
}
