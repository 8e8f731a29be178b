/** Imports: files of what people know they have, brought in through the same intake as every other sighting. */
import { hash } from 'node:crypto'
import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { enqueue } from '#platform/jobs/job.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import { guessedHeader } from './columns/header.ts'
import { importJob } from './running/import-job.ts'
import type { Import, ImportOptions } from './import.ts'
import { checkedCurrency } from './columns/currency.ts'
import { headerDigest } from './columns/column-mapping.ts'
import { unfinished } from './running/import-status.ts'
import * as store from './store.ts'

export { importFile } from './import-file.ts'

/** Newest first. */
export async function listImports(ctx: Ctx, page: Page): Promise<Listed<Import>> {
  permit(ctx, 'imports:read')
  return store.imports(ctx, page)
}

export async function getImport(ctx: Ctx, id: string): Promise<Import> {
  permit(ctx, 'imports:read')
  return importOf(ctx, id)
}

/** Looks through what was uploaded once more, with other columns or for another thing. */
export async function checkImport(ctx: Ctx, id: string, options: ImportOptions): Promise<Import> {
  permit(ctx, 'imports:write')
  const wanted = checkedOptions(options)
  return atomically(ctx, async (inner) => {
    const { preview } = await importOf(inner, id)
    if (wanted.columns && wanted.columns.length !== preview?.columns?.length)
      throw invalid('columns', `must be as many as the header has: ${preview?.columns?.length ?? 0}`)
    const found = await store.hand(inner, id, { from: ['ready'], to: 'checking', options: wanted })
    if (!found) throw conflict(`the import is ${(await importOf(inner, id)).status}`)
    await enqueue(inner, importJob, { importId: id })
    return found
  })
}

/**
 * Imports what was looked through. One that is under way or done is answered as it is, and so is another import of
 * the same file with the same options that is under way: a request that is sent again starts nothing twice.
 */
export async function startImport(ctx: Ctx, id: string, options: ImportOptions = {}): Promise<Import> {
  permit(ctx, 'imports:write')
  return atomically(ctx, async (inner) => {
    await store.lockTenant(inner)
    const found = await importOf(inner, id)
    if (['waiting', 'running', 'completed'].includes(found.status)) return found
    const wanted = checkedOptions({ ...found.options, ...options })
    refuseUnready(found, wanted)
    const sameKey = hash('sha256', `${await store.digestOf(inner, id)} ${keyOf(wanted)}`, 'buffer')
    const same = await store.sameUnderWay(inner, sameKey)
    if (same) {
      await store.finish(inner, id, {
        status: 'cancelled',
        message: 'the same file is being imported already',
      })
      return same
    }
    const started = await store.hand(inner, id, { from: ['ready'], to: 'waiting', options: wanted, sameKey })
    if (!started) throw conflict(`the import is ${found.status}`)
    await enqueue(inner, importJob, { importId: id })
    await rememberColumns(inner, found)
    await record(inner, 'import.started', { type: 'import', id }, { file: found.name, bytes: found.bytes })
    return started
  })
}

/** What was imported stays; a running import ends with its next batch, on whichever node it runs. */
export async function cancelImport(ctx: Ctx, id: string): Promise<Import> {
  permit(ctx, 'imports:write')
  return atomically(ctx, async (inner) => {
    const found = await importOf(inner, id)
    const isStarted = found.status === 'waiting' || found.status === 'running'
    const message = isStarted ? 'cancelled; what was imported before stays' : 'not imported'
    const cancelled = await store.finish(inner, id, { status: 'cancelled', message })
    if (!cancelled) throw conflict(`the import is ${(await importOf(inner, id)).status} already`)
    const { name, observed, created, updated } = cancelled
    if (isStarted)
      await record(
        inner,
        'import.cancelled',
        { type: 'import', id },
        { file: name, observed, created, updated },
      )
    return cancelled
  })
}

async function importOf(ctx: Ctx, id: string): Promise<Import> {
  const found = isUuid(id) ? await store.find(ctx, id) : undefined
  if (!found) throw notFound('import')
  return found
}

const OPTION_LENGTH_MAX = 255

function checkedOptions({ columns: said, assetId, host, os, currency: code }: ImportOptions): ImportOptions {
  for (const [field, value] of Object.entries({ assetId, host, os }))
    if (value !== undefined && value.length > OPTION_LENGTH_MAX)
      throw invalid(field, `is longer than ${OPTION_LENGTH_MAX} characters`)
  const currency = checkedCurrency(code)
  if (assetId !== undefined && !isUuid(assetId)) throw invalid('assetId', 'must be the UUID of an asset')
  return {
    ...(said && { columns: said }),
    ...(assetId !== undefined && { assetId }),
    ...(host !== undefined && host !== '' && { host }),
    ...(os !== undefined && os !== '' && { os }),
    ...(currency !== undefined && { currency }),
  }
}

function refuseUnready({ status, preview }: Import, options: ImportOptions): void {
  if (unfinished.includes(status) && status !== 'ready')
    throw conflict(`the file is not looked through yet: ${status}`)
  if (status !== 'ready' || !preview) throw conflict(`the import is ${status} already`)
  if (preview.problem) throw invalid(preview.problem.field, preview.problem.message)
  const isPlaced =
    preview.subject !== undefined || options.host !== undefined || options.assetId !== undefined
  if (preview.isDocument && !isPlaced) throw invalid('host', 'is needed: the file does not say of what it is')
}

const keyOf = ({ columns: said, assetId, host, os, currency }: ImportOptions): string =>
  JSON.stringify([said ?? null, assetId ?? null, host ?? null, os ?? null, currency ?? null])

/** What a person saw before starting is taken for that person's word, where it is not what anybody would guess. */
async function rememberColumns(ctx: Ctx, { format, preview }: Import): Promise<void> {
  if (!preview?.columns || format === null) return
  const titles = preview.columns.map(({ title }) => title)
  const said = preview.columns.map(({ column }) => column)
  const header = headerDigest(titles)
  const isGuess = JSON.stringify(guessedHeader(titles)) === JSON.stringify(said)
  if (isGuess && (await store.mapping(ctx, format, header)) === undefined) return
  await store.remember(ctx, { source: format, header, columns: said })
}

/** What nobody went on with for a day, and what ended long ago. */
const AGES = { leftHours: 24, keptDays: 365 }

export async function removeOldImports(system: Ctx): Promise<void> {
  permit(system, 'imports:write')
  await store.removeOld(system, AGES)
}
