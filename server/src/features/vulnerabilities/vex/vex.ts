import { record } from '#features/audit/audit.ts'
import { parsePurl } from '#features/software/software.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { NIL_UUID, isUuid, newUuid } from '#platform/uuid.ts'
import { shortened } from '#platform/validation/shortened.ts'
import type { NewOverride, Override } from '../overrides/override.ts'
import * as store from '../overrides/override-store.ts'
import { coordinatesOf } from '../matching/matchers/purl-coordinates.ts'
import * as statusStore from '../findings/finding-status-store.ts'
import { recomputeFindings } from '../findings/sync-findings.ts'
import { vexFormats } from './formats/all.ts'
import type { Fields, VexDocument, VexStatement } from './formats/vex-format.ts'

/** VEX import and export: statements of vendors become overrides, overrides in force become an OpenVEX document. */
export interface VexImport {
  readonly format: string
  readonly document: string
  /** Overrides created from the document. */
  readonly created: number
  /** Overrides of an earlier version of the document that this version no longer contains. */
  readonly ended: number
  readonly unchanged: number
  /** Statements that create no override: affected, under investigation, or without a package. */
  readonly skipped: number
}

const BYTES_MAX = 20_000_000
const OVERRIDES_MAX = 20_000
const REASON_LENGTH_MAX = 2_000
const ID_LENGTH_MAX = 500

/** Idempotent; a newer version of a document replaces the overrides of the older one. */
export async function importVex(ctx: Ctx, content: AsyncIterable<Buffer>): Promise<VexImport> {
  permit(ctx, 'overrides:write')
  const { format, document } = parse(await textOf(content))
  const origin = `${format} ${document.id}`
  const overrides = overridesIn(document)
  if (overrides.size > OVERRIDES_MAX) throw invalid('content', `makes more than ${OVERRIDES_MAX} overrides`)
  return atomically(ctx, async (inner) => {
    await statusStore.lockFindings(inner)
    const known = new Map((await store.ofOrigin(inner, origin)).map((it) => [keyOf(it), it]))
    const fresh = [...overrides].filter(([key]) => !known.has(key)).map(([, it]) => it)
    const stale = [...known].filter(([key]) => !overrides.has(key)).map(([, it]) => it)
    await write(inner, origin, { fresh, stale })
    const summary = { format, document: document.id, created: fresh.length, ended: stale.length }
    if (fresh.length + stale.length > 0)
      await record(inner, 'vex.imported', { type: 'tenant', id: inner.tenantId }, summary)
    const closing = document.statements.filter(closes).length
    return {
      ...summary,
      unchanged: overrides.size - fresh.length,
      skipped: document.statements.length - closing,
    }
  })
}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > BYTES_MAX) throw invalid('content', `is larger than ${BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parse(text: string): { readonly format: string; readonly document: VexDocument } {
  const whole = parseJson(text)
  const format = vexFormats.find((it) => it.isOne(whole))
  if (!format) throw invalid('content', `is none of ${vexFormats.map(({ name }) => name).join(', ')}`)
  const document = format.read(whole)
  if (document.id === '' || document.id.length > ID_LENGTH_MAX)
    throw invalid('content', 'the document has no id')
  return { format: format.name, document }
}

function parseJson(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : {}
  } catch {
    throw invalid('content', 'is not JSON')
  }
}

type VexOverride = Pick<NewOverride, 'kind' | 'cveId' | 'reason'> & {
  readonly package: string
  readonly version: string | undefined
}

const closes = ({ status, product, part }: VexStatement): boolean =>
  (status === 'not_affected' || status === 'fixed') && packageIn(part || product) !== undefined

/** Overrides by key; of two statements about the same package and CVE the later one counts. */
function overridesIn({ statements }: VexDocument): Map<string, VexOverride> {
  const overrides = new Map<string, VexOverride>()
  for (const statement of statements) {
    const named = packageIn(statement.part || statement.product)
    if (!named || !closes(statement)) continue
    const { cveId, status, reason } = statement
    const override = {
      kind: status as 'not_affected' | 'fixed',
      cveId,
      reason: shortened(reason, REASON_LENGTH_MAX),
      package: named.package,
      version: named.version || undefined,
    }
    overrides.set(keyOf(override), override)
  }
  return overrides
}

const keyOf = (
  it: Pick<Override, 'kind' | 'cveId'> & { package?: string | null; version?: string | null | undefined },
): string => [it.kind, it.cveId, it.package ?? '', it.version ?? ''].join('\n')

/** The package name as advisories and package managers use it. */
function packageIn(product: string): { readonly package: string; readonly version: string } | undefined {
  const purl = parsePurl(product)
  return coordinatesOf(product) ?? (purl && { package: purl.name, version: purl.version })
}

async function write(
  ctx: Ctx,
  origin: string,
  { fresh, stale }: { readonly fresh: readonly VexOverride[]; readonly stale: readonly Override[] },
): Promise<void> {
  const state = (await store.needsApproval(ctx)) ? 'proposed' : 'active'
  const reached = new Set<string>()
  const note = async (scope: VexOverride | Override, id: string | null): Promise<void> => {
    const { cveId, package: name, version } = scope
    const ids = await store.findingsInScope(
      ctx,
      { cveId, package: name ?? undefined, version: version ?? undefined },
      id,
    )
    for (const found of ids) reached.add(found)
  }
  for (const it of fresh) {
    await store.add(ctx, { ...it, id: newUuid(ctx.now()), tenths: null, origin, state })
    await note(it, null)
  }
  for (const it of stale) {
    await store.end(ctx, it.id, 'the document no longer says so')
    await note(it, it.id)
  }
  await recomputeFindings(ctx, [...reached], 'an override ended')
}

const AT_ONCE = 1_000

/** The active overrides as one OpenVEX document, without severity overrides, which VEX cannot express. */
export async function exportVex(ctx: Ctx): Promise<object> {
  permit(ctx, 'overrides:read')
  const statements: object[] = []
  for (let after = NIL_UUID; isUuid(after);) {
    const some = await store.inForce(ctx, after, AT_ONCE)
    statements.push(...some.filter(({ kind }) => kind !== 'severity').map(statementOf))
    after = some.at(-1)?.id ?? ''
  }
  const timestamp = ctx.now().toISOString()
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:uuid:${ctx.tenantId}`,
    author: `tenant ${ctx.tenantId}`,
    timestamp,
    version: 1,
    tooling: 'Rollcall',
    statements,
  }
}

/** An accepted risk is exported as `affected`. */
function statementOf(it: store.OverrideInForce): object {
  const isAccepted = it.kind === 'accepted_risk'
  return {
    vulnerability: { name: it.cveId },
    products: [productOf(it)],
    status: isAccepted ? 'affected' : it.kind === 'fixed' ? 'fixed' : 'not_affected',
    timestamp: it.createdAt,
    ...(isAccepted ? { action_statement: it.reason } : { impact_statement: it.reason }),
  }
}

function productOf(it: store.OverrideInForce): object {
  const { assetId, software, package: name, version, tag, condition, cveId } = it
  if (assetId !== null) {
    const [part = '', ...versions] = (software ?? '').split(' ')
    return { '@id': `urn:uuid:${assetId}`, subcomponents: [{ '@id': genericPurl(part, versions.join(' ')) }] }
  }
  if (name !== null) return { '@id': genericPurl(name, version ?? '') }
  if (tag !== null) return { '@id': `urn:rollcall:tag:${encodeURIComponent(tag)}` }
  if (condition !== null) return { '@id': `urn:rollcall:condition:${encodeURIComponent(condition)}` }
  return { '@id': `urn:rollcall:all:${cveId}` }
}

const genericPurl = (name: string, version: string): string =>
  `pkg:generic/${encodeURIComponent(name)}${version && `@${encodeURIComponent(version)}`}`
