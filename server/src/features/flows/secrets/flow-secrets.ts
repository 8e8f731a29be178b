import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { hasControlCharacter } from '#platform/validation/control-characters.ts'
import * as store from './secret-store.ts'

export type { FlowSecret } from './secret-store.ts'

/** Secrets that steps of flows name as `{{secrets.NAME}}`. Nobody reads them again; run logs do not show them. */

const NAME = /^[a-z][a-z0-9_]{0,39}$/
/** Shorter ones could not be told from other text in a log. */
const VALUE_LENGTH_MIN = 6
const VALUE_LENGTH_MAX = 4_096
const SECRETS_MAX = 200

/** Of the sealed value: it can be opened under its name alone. */
export const secretContext = (tenantId: string, name: string): string => `flow secret ${tenantId} ${name}`

export function listFlowSecrets(ctx: Ctx): Promise<store.FlowSecret[]> {
  permit(ctx, 'flows:read')
  return store.list(ctx)
}

/** Replaces the one of that name. */
export async function setFlowSecret(ctx: Ctx, name: string, value: string): Promise<store.FlowSecret> {
  permit(ctx, 'flows:write')
  if (!NAME.test(name)) throw invalid('name', 'must be lower-case letters, digits and _, at most 40')
  if (value.length < VALUE_LENGTH_MIN || value.length > VALUE_LENGTH_MAX || hasControlCharacter(value))
    throw invalid(
      'value',
      `must have ${VALUE_LENGTH_MIN} to ${VALUE_LENGTH_MAX} characters, no control characters`,
    )
  return atomically(ctx, async (inner) => {
    const known = await store.list(inner)
    if (known.length >= SECRETS_MAX && !known.some((it) => it.name === name))
      throw invalid('name', `there are ${SECRETS_MAX} secrets already`)
    const secret = await store.put(inner, name, inner.seal.seal(value, secretContext(inner.tenantId, name)))
    await record(inner, 'flow_secret.set', { type: 'flow_secret', id: name })
    return secret
  })
}

export async function deleteFlowSecret(ctx: Ctx, name: string): Promise<void> {
  permit(ctx, 'flows:write')
  await atomically(ctx, async (inner) => {
    if (!(await store.remove(inner, name))) throw notFound('secret')
    await record(inner, 'flow_secret.deleted', { type: 'flow_secret', id: name })
  })
}

/** Those of the names that there are, opened. */
export async function openSecrets(
  ctx: Ctx,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  if (names.length === 0) return {}
  const rows = await store.sealed(ctx, names)
  return Object.fromEntries(
    rows.map(({ name, value }) => [name, ctx.seal.open(value, secretContext(ctx.tenantId, name))]),
  )
}

const MASK = '••••••'

/** The value with every secret in its texts replaced, also where it stands as JSON or in an address. */
export function masked(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return value
  const forms = secrets.flatMap((it) => [it, JSON.stringify(it).slice(1, -1), encodeURIComponent(it)])
  const inText = (text: string) => forms.reduce((left, form) => left.replaceAll(form, MASK), text)
  const inValue = (it: unknown): unknown => {
    if (typeof it === 'string') return inText(it)
    if (Array.isArray(it)) return it.map(inValue)
    if (typeof it !== 'object' || it === null) return it
    return Object.fromEntries(Object.entries(it).map(([name, inner]) => [name, inValue(inner)]))
  }
  return inValue(value)
}
