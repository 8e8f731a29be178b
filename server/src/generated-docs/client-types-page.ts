import { apiDocument } from './api-document.ts'
import { features } from '../app.ts'

/** What of JSON Schema the endpoints use to say a type. */
interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Operation {
  readonly summary: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

const HEAD = `// Made of the API document by npm run generate.

/** What each endpoint takes and answers. */
export interface Api {
`

/** clients/typescript/src/generated/api.ts. */
export function clientTypesPage(): string {
  const { paths } = JSON.parse(JSON.stringify(apiDocument(features))) as {
    paths: Record<string, Record<string, Operation>>
  }
  const entries = Object.entries(paths).map(([path, operations]) => {
    const methods = Object.entries(operations).map(([method, it]) => operationText(path, method, it))
    return `  '${path}': {\n${methods.join('')}  }\n`
  })
  return `${HEAD}${entries.join('')}}\n`
}

function operationText(path: string, method: string, operation: Operation): string {
  const { summary, parameters = [], requestBody, responses } = operation
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`)
  const query = parameters.filter((it) => it.in === 'query')
  const fields = query.map((it) => field(it.name, it.schema, it.required === true))
  const isQueryNeeded = query.some((it) => it.required)
  const body = requestBody?.content?.['application/json']?.schema
  const parts = [
    names.length > 0 ? `path: { ${names.join('; ')} }` : 'path?: never',
    fields.length > 0 ? `query${isQueryNeeded ? '' : '?'}: { ${fields.join('; ')} }` : 'query?: never',
    body ? `body${requestBody?.required === false ? '?' : ''}: ${typeText(body)}` : 'body?: never',
    `answer: ${answerText(responses)}`,
  ]
  const lines = parts.map((it) => `      ${it}\n`).join('')
  return `    /** ${summary.replaceAll('*/', '')} */\n    ${method}: {\n${lines}    }\n`
}

/** Files are bytes. */
function answerText(responses: Operation['responses']): string {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = success?.content?.['application/json']?.schema
  return schema ? typeText(schema) : 'Uint8Array'
}

function typeText(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((it) => JSON.stringify(it)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${typeText(schema.items ?? {})})[]`
    case 'object':
      return objectText(schema)
    case undefined:
    default:
      return 'unknown'
  }
}

function objectText({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, it]) => field(name, it, required.includes(name)))
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  const values = typeof additionalProperties === 'object' ? typeText(additionalProperties) : 'unknown'
  return `Readonly<Record<string, ${values}>>`
}

function field(name: string, schema: Schema, isRequired: boolean): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
  return `readonly ${key}${isRequired ? '' : '?'}: ${typeText(schema)}`
}
