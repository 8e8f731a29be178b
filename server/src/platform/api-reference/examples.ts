import type { JsonSchema } from './json-schema.ts'

/** How an endpoint is asked, in the languages that there are clients for. Pure. */

export interface AskedEndpoint {
  readonly method: string
  /** `/assets/{id}` */
  readonly path: string
  /** Parameters of the query that are needed. */
  readonly query: readonly string[]
  /** A body that has what is needed; undefined: none is sent. */
  readonly body: unknown
}

const MOST_DEEP = 6

export function curlExample({ method, path, query, body }: AskedEndpoint, base: string): string {
  const asked = query.map((name) => `${name}=…`).join('&')
  return [
    `curl -H "X-API-Key: $ROLLCALL_KEY"`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
        ]),
    `"$ROLLCALL_URL${base}${path}${asked && `?${asked}`}"`,
  ].join(' \\\n  ')
}

export function typescriptExample({ method, path, query, body }: AskedEndpoint): string {
  const names = placesIn(path)
  const parts = [
    ...(names.length > 0 ? [`path: { ${names.map((it) => `${keyOf(it)}: '…'`).join(', ')} }`] : []),
    ...(query.length > 0 ? [`query: { ${query.map((it) => `${keyOf(it)}: '…'`).join(', ')} }`] : []),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]),
  ].join(', ')
  return [
    `import { env } from 'node:process'`,
    `import { RollcallClient } from 'rollcall-client'`,
    '',
    `const { ROLLCALL_URL: address = '', ROLLCALL_KEY: apiKey = '' } = env`,
    `const client = new RollcallClient({ address, apiKey })`,
    `const answer = await client.${method.toLowerCase()}('${path}'${parts && `, { ${parts} }`})`,
  ].join('\n')
}

export function pythonExample({ method, path, query, body }: AskedEndpoint): string {
  const place = placesIn(path).length > 0 ? `f"${path}"` : `"${path}"`
  const values = [
    place,
    ...(body === undefined ? [] : [pythonOf(body)]),
    ...query.map((name) => (/^[a-z_]\w*$/i.test(name) ? `${name}="…"` : `**{"${name}": "…"}`)),
  ].join(', ')
  return [
    'import os',
    'from rollcall_client import Client',
    '',
    'client = Client(os.environ["ROLLCALL_URL"], os.environ["ROLLCALL_KEY"])',
    ...placesIn(path).map((name) => `${name} = "…"`),
    `answer = client.${method.toLowerCase()}(${values})`,
  ].join('\n')
}

/** A value that has what the schema asks for. */
export function exampleOf(schema: JsonSchema, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return schema.anyOf[0] ? exampleOf(schema.anyOf[0], depth) : null
  if (depth > MOST_DEEP) return null
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name]) => schema.required?.includes(name))
        .map(([name, part]) => [name, exampleOf(part, depth + 1)]),
    )
  if (schema.items) return [exampleOf(schema.items, depth + 1)]
  return plain(schema)
}

function plain({ type, format }: JsonSchema): unknown {
  if (format === 'date-time') return '2026-01-31T12:00:00Z'
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'object') return {}
  if (type === 'null') return null
  return '…'
}

export const placesIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const keyOf = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`)

function pythonOf(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}: ${pythonOf(each)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}
