import { createHash } from 'node:crypto'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { secretsIn } from './definition/template.ts'
import type { Definition, Flow } from './flow.ts'
import { createFlow, getFlow, listVersions } from './flows.ts'

/** The form of an exported flow. */
export const FLOW_SCHEMA = 'rollcall.flow/1'

/** A flow as a file. It holds no secret: secrets are named, and the one who imports it sets them. */
export interface FlowFile {
  readonly schema: typeof FLOW_SCHEMA
  readonly name: string
  readonly description: string
  readonly definition: Definition
  /** Names of secrets that it asks for. */
  readonly secrets: readonly string[]
  /** SHA-256 of name, description and definition as JSON with sorted keys, in hexadecimal. */
  readonly digest: string
}

/** The newest version, draft or not. */
export async function exportFlow(ctx: Ctx, id: string): Promise<FlowFile> {
  const { name, description } = await getFlow(ctx, id)
  const [newest] = await listVersions(ctx, id)
  if (!newest) throw new Error('a flow has no version')
  const { definition } = newest
  const content = { name, description, definition }
  return { schema: FLOW_SCHEMA, ...content, secrets: secretsIn(definition.steps), digest: digestOf(content) }
}

/** As a draft. Throws 400, which names the place, also for a file whose content is not that of its digest. */
export async function importFlow(ctx: Ctx, file: unknown): Promise<Flow> {
  permit(ctx, 'flows:write')
  if (typeof file !== 'object' || file === null) throw invalid('file', 'must be an exported flow')
  const {
    schema,
    name,
    description = '',
    definition,
    digest,
  } = file as Partial<Record<keyof FlowFile, unknown>>
  if (schema !== FLOW_SCHEMA) throw invalid('schema', `must be ${FLOW_SCHEMA}`)
  if (typeof name !== 'string') throw invalid('name', 'must be a text')
  if (typeof description !== 'string') throw invalid('description', 'must be a text')
  if (digest !== undefined && digest !== digestOf({ name, description, definition }))
    throw invalid('digest', 'is not that of the content; leave it out for a file that was changed by hand')
  return createFlow(ctx, { name, description, definition })
}

const digestOf = (content: object): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(content)))
    .digest('hex')

/** With keys in the order of their letters, so that equal content has one text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}
