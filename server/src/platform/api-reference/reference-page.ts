import { curlExample, exampleOf, pythonExample, typescriptExample, type AskedEndpoint } from './examples.ts'
import { linesOf, typeOf, type JsonSchema, type Line } from './json-schema.ts'

/** The parts of an OpenAPI document that the page displays. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, { readonly description: string }>> }
}

interface Operation {
  readonly deprecated?: boolean
  readonly 'x-deprecation'?: string
  readonly summary: string
  readonly operationId: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly $ref?: string }>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: JsonSchema
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema }>>

export interface PageFiles {
  readonly stylesheet: string
  /** Makes forms that ask the endpoints; without it the page is there to read. */
  readonly script: string
}

/** The endpoints as one page to read, and to try with one's own key. */
export function referencePage(document: ApiDocument, { stylesheet, script }: PageFiles): string {
  const { title, version } = document.info
  const base = document.servers[0]?.url ?? ''
  const groups = groupsOf(document)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} REST API ${text(version)}</title>
<link rel="stylesheet" href="${text(stylesheet)}">
<script src="${text(script)}" defer></script>
</head>
<body>
<div class="page">
<nav aria-label="Endpoints"><p><a href="/docs">All documents</a></p>${groups.map(navigation).join('')}</nav>
<main>
<h1>${text(title)} REST API ${text(version)}</h1>
<p>Everything is below <code>${text(base)}</code>. Bodies and answers are JSON in UTF-8 unless an endpoint says otherwise; instants are RFC 3339 in UTC; ids are UUIDs. The same as an <a href="${text(base)}/openapi.json">OpenAPI 3.1 document</a>. <a href="/docs/api/changes">Changes</a>.</p>
<h2 id="keys">Keys</h2>
<p>Every request carries an API key in the header <code>X-API-Key</code>. It names the tenant, and its scopes say how far it goes; each endpoint below names the scope that it asks for. Keys are made in the app, under Settings.</p>
<p class="try"><label>Your key, for trying the endpoints on this page. It is kept until the page is closed, and sent to this server alone.<input id="try-key" type="password" autocomplete="off" spellcheck="false"></label></p>
<h2 id="limits">Limits</h2>
<p>Every answer has <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code> (Unix seconds). Past the limit the answer is 429 with <code>Retry-After</code>.</p>
<h2 id="lists">Lists</h2>
<p>Lists take <code>limit</code> and <code>offset</code> and tell of themselves in <code>X-Total-Count</code>, <code>X-Total-Pages</code>, <code>X-Page</code>, <code>X-Per-Page</code> and, while there is more, <code>X-Next-Cursor</code>.</p>
<h2 id="errors">Errors</h2>
<p>A refusal is <code>{"error": "…", "message": "…"}</code>: a code for programs and a sentence for people, which names the field at fault.</p>
${table(
  ['Status', 'When'],
  Object.entries(document.components.responses).map(([status, { description }]) => [
    code(status),
    text(description),
  ]),
)}
${groups.map((group) => section(group, base)).join('')}
</main>
</div>
</body>
</html>
`
}

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

interface Group {
  readonly noun: string
  readonly endpoints: readonly Endpoint[]
}

/** By the first part of the path. */
function groupsOf({ paths }: ApiDocument): Group[] {
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const byNoun = Map.groupBy(endpoints, ({ path }) => path.split('/')[1] ?? '')
  return [...byNoun].map(([noun, those]) => ({ noun, endpoints: those }))
}

const titleOf = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1).replaceAll('-', ' ')

const navigation = ({ noun, endpoints }: Group): string =>
  `<strong>${text(titleOf(noun))}</strong><ul>${endpoints
    .map(({ method, path, operation }) => {
      return `<li><a href="#${text(operation.operationId)}">${text(method)} ${text(path)}</a></li>`
    })
    .join('')}</ul>`

const section = ({ noun, endpoints }: Group, base: string): string =>
  `<h2 id="${text(noun)}">${text(titleOf(noun))}</h2>${endpoints.map((it) => article(it, base)).join('')}`

function article({ method, path, operation }: Endpoint, base: string): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const id = text(operationId)
  const [status, success] = Object.entries(responses).find(([it]) => it.startsWith('2')) ?? []
  const body = requestBody?.content['application/json']?.schema
  return `<section class="operation" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><code><span class="method">${text(method)}</span> ${text(base + path)}</code></h3>
<p>${operation.deprecated ? '<strong>Deprecated.</strong> ' : ''}${text(summary)} <span class="scope">${text(description)}</span></p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${table(['Name', 'In', 'Type', ''], parameters.map(parameterRow))}`}
${body ? `<h4>Body</h4>${schemaTable(body)}` : ''}
<h4>Answer ${text(status ?? '')}</h4>${answer(success?.content ?? {})}
<h4>Examples</h4>${examples({ method, path, operation }, base)}
<details class="try"><summary>Try it</summary><div id="try-${id}" data-try="${text(JSON.stringify(tried({ method, path, operation }, base)))}"></div></details>
</section>`
}

function examples(endpoint: Endpoint, base: string): string {
  const asked = askedBy(endpoint)
  const languages = [
    ['curl', curlExample(asked, base)],
    ['TypeScript', typescriptExample(asked)],
    ['Python', pythonExample(asked)],
  ] as const
  return languages
    .map(
      ([name, example], at) =>
        `<details${at === 0 ? ' open' : ''}><summary>${name}</summary><pre tabindex="0"><code>${text(example)}</code></pre></details>`,
    )
    .join('')
}

function askedBy({ method, path, operation }: Endpoint): AskedEndpoint {
  const query = operation.parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name }) => name)
  const schema = operation.requestBody?.content['application/json']?.schema
  const body = operation.requestBody ? (schema ? exampleOf(schema) : {}) : undefined
  return { method, path, query, body }
}

/** What the script makes a form of. */
function tried(endpoint: Endpoint, base: string) {
  const { method, path, operation } = endpoint
  const parameters = operation.parameters
    .filter(({ in: place }) => place === 'path' || place === 'query')
    .map(({ name, in: place, required }) => ({ name, in: place, required }))
  return { method, path: base + path, parameters, body: askedBy(endpoint).body ?? null }
}

const parameterRow = ({ name, in: place, required, schema }: Parameter): string[] => [
  code(name),
  text(place),
  text(typeOf(schema)),
  text([required ? 'required' : '', schema.description ?? ''].filter(Boolean).join('; ')),
]

function answer(content: Content): string {
  const [mediaType, { schema } = {}] = Object.entries(content)[0] ?? []
  if (schema) return schemaTable(schema)
  return mediaType === undefined ? '<p>Nothing.</p>' : `<p>A file: ${code(mediaType)}.</p>`
}

function schemaTable(schema: JsonSchema): string {
  const row = ({ name, type, isRequired, description }: Line): string[] => [
    code(name),
    text(type),
    text([isRequired ? '' : 'optional', description].filter(Boolean).join('; ')),
  ]
  const lines = linesOf(schema)
  return lines.length === 0 ? `<p>${text(typeOf(schema))}</p>` : table(['Field', 'Type', ''], lines.map(row))
}

const code = (value: string): string => `<code>${text(value)}</code>`

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => row.map((it) => `<td>${it}</td>`).join('')
  const head = heads.map((it) => (it === '' ? '<td></td>' : `<th scope="col">${text(it)}</th>`)).join('')
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows
    .map((row) => `<tr>${cells(row)}</tr>`)
    .join('')}</tbody></table></div>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const text = (value: string): string => value.replaceAll(/[&<>"']/g, (it) => entities[it] ?? it)
