import { LIMIT_MAX, type Tool } from './read-only-tools.ts'

/** Answers the body of a GET below /api/v1. */
export type Ask = (path: string, query: URLSearchParams) => Promise<unknown>

/** Names what is wrong with the arguments; undefined: nothing. */
export function faultIn(
  { properties, required = [] }: Tool,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const missing = required.find((name) => given[name] === undefined)
  if (missing !== undefined) return `${missing} is missing`
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name)) return `there is no argument ${name}`
    const { type, enum: values, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = properties[name]!
    if (type === 'string' && typeof value !== 'string') return `${name} must be a text`
    if (values && !values.includes(String(value))) return `${name} must be one of ${values.join(', ')}`
    const isWithin = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
    if (type === 'integer' && !isWithin) return `${name} must be a whole number from ${minimum} to ${maximum}`
  }
  return undefined
}

/** Asks the server; the arguments have been found right. */
export function callTool(
  { path, properties }: Tool,
  given: Readonly<Record<string, unknown>>,
  ask: Ask,
): Promise<unknown> {
  const query = new URLSearchParams(Object.hasOwn(properties, 'limit') ? { limit: '20' } : {})
  let filled = path
  for (const [name, value] of Object.entries(given)) {
    if (path.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)))
    else query.set(name, String(value))
  }
  return ask(filled, query)
}

/** How a tool is told to an assistant. */
export const describeTool = ({ name, description, properties, required }: Tool): object => ({
  name,
  description: properties['limit'] ? `${description} At most ${LIMIT_MAX} at a time.` : description,
  inputSchema: { type: 'object', properties, ...(required && { required }), additionalProperties: false },
  annotations: { readOnlyHint: true, openWorldHint: false },
})
