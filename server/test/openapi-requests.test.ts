import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { openApiPage } from '../src/generated-docs/openapi-page.ts'
import type { Caller } from './support/http/api-client.ts'
import { checkOf, strangeValuesOf, valuesOf, type Schema } from './support/api-coverage/generated-requests.ts'
import { restRecordFactories } from './support/api-coverage/rest-record-factories.ts'
import { sharedTestApp } from './support/app/test-app.ts'

// The API document is as strict as the endpoints: what it allows is taken, what it does not allow is refused.

interface Operation {
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly required: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

const document = JSON.parse(openApiPage()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Schema }
}
const { schemas } = document.components
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, it]) => [`${method.toUpperCase()} ${path}`, it] as const),
)
const bodyOf = ({ requestBody }: Operation) => requestBody?.content['application/json']?.schema
const RUNS = { numRuns: 20 }

const shared = sharedTestApp()
let admin: Caller
/** Of a thing behind each noun that is followed by an id. */
const ids: Record<string, string> = {}
beforeAll(async () => {
  const ctx = await shared().newTenant()
  admin = shared().as(await shared().key(ctx))
  for (const [noun, make] of Object.entries(restRecordFactories)) ids[noun] = await make(ctx)
})

interface Asked {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

async function ask(name: string, { parameters: of }: Operation, { parameters, body }: Asked) {
  const [method = '', path = ''] = name.split(' ')
  const filled = path.replaceAll(
    /([\w-]+)\/\{(\w+)\}/g,
    (_, noun: string, it: string) =>
      `${noun}/${encodeURIComponent(it in parameters ? String(parameters[it]) : (ids[noun] ?? ''))}`,
  )
  const query = of
    .filter((it) => it.in === 'query' && parameters[it.name] !== undefined)
    .map((it) => `${it.name}=${encodeURIComponent(String(parameters[it.name]))}`)
  const inHeader = of
    .filter((it) => it.in === 'header' && parameters[it.name] !== undefined)
    .map((it) => [it.name, String(parameters[it.name])])
  return admin.send(method, `/api/v1${filled}?${query.join('&')}`, {
    headers: {
      ...Object.fromEntries(inHeader),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** A path without one of its parts is another path. */
const isPartOf =
  ({ in: place }: Operation['parameters'][number]) =>
  (value: unknown): boolean =>
    place !== 'path' || value !== ''

function validParameters({ parameters }: Operation): fc.Arbitrary<Record<string, unknown>> {
  const values = parameters.map((it) => [it.name, valuesOf(it.schema).filter(isPartOf(it))] as const)
  const requiredKeys = parameters.filter((it) => it.required).map((it) => it.name)
  return fc.record(Object.fromEntries(values), { requiredKeys })
}

const validBodies = (operation: Operation): fc.Arbitrary<unknown> => {
  const schema = bodyOf(operation)
  if (!schema) return fc.constant(undefined)
  return valuesOf(schema).filter(checkOf(schema, schemas))
}

test.each(operations)('%s takes all that the document allows', async (name, operation) => {
  await fc.assert(
    fc.asyncProperty(validParameters(operation), validBodies(operation), async (parameters, body) => {
      const { status, text } = await ask(name, operation, { parameters, body })
      // 404: an id of the right form that nothing has; 409: what was made just so before
      expect({ status, text }).toMatchObject({
        status: expect.toSatisfy((it) => [200, 201, 404, 409].includes(it)),
      })
    }),
    RUNS,
  )
})

test.each(operations.filter(([, it]) => bodyOf(it)))(
  '%s refuses every body that it does not allow',
  async (name, operation) => {
    const schema = bodyOf(operation) as Schema
    const isAllowed = checkOf(schema, schemas)
    await fc.assert(
      fc.asyncProperty(
        strangeValuesOf(schema).filter((it) => !isAllowed(JSON.parse(JSON.stringify(it)))),
        async (body) => {
          expect((await ask(name, operation, { parameters: {}, body })).status).toBe(400)
        },
      ),
      RUNS,
    )
  },
)

/** Compiled once for each schema: to compile takes longer than to ask. */
const checks = new Map<Schema, (value: unknown) => boolean>()

/** As the text of a parameter stands for a value of the schema: as it is, or as a number in JSON. */
const isAllowedText = (schema: Schema, value: string): boolean => {
  const check = checks.get(schema) ?? checkOf(schema, schemas)
  checks.set(schema, check)
  return check(value) || (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) && check(Number(value)))
}

const parameters = operations.flatMap(([name, it]) =>
  it.parameters.map(
    (parameter) => [`${name} ${parameter.in} ${parameter.name}`, name, it, parameter] as const,
  ),
)

const strangeTexts = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((it) => `${it}\0`),
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.constantFrom('x', '0x7', 'Infinity', '1e999', 'CSV', 'csv ', 'Critical', '-1,5', 'null'),
)

/** What can be sent in a header at all: HTTP knows no control characters there, and takes blanks off the ends. */
const strangeHeaders = fc.constantFrom('with a blank', '"', '""', '"open', 'x'.repeat(256), 'x\u00fc')

/** The document names the language of conditions; which texts it refuses, only its reader knows. */
const brokenConditions = fc.constantFrom('(', 'name =', 'nowhere = x', 'x'.repeat(4_097), 'a\0')

function strangeFor({ in: place, schema }: Operation['parameters'][number]): fc.Arbitrary<string> {
  if (schema['format'] === 'condition') return brokenConditions
  return (place === 'header' ? strangeHeaders : strangeTexts).filter(
    (it) => !isAllowedText(schema, it) && !/^\.{1,2}$/.test(it),
  )
}

/** Where nothing is looked at, as the id of an alias, there is nothing to refuse. */
const takesAll = ({ schema }: Operation['parameters'][number]): boolean =>
  Object.keys(schema).join() === 'type' && schema['type'] === 'string'

test.each(parameters.filter(([, , , it]) => !takesAll(it)))(
  '%s refuses what the document does not allow',
  async (_, name, operation, parameter) => {
    const strange = strangeFor(parameter)
    await fc.assert(
      fc.asyncProperty(
        validParameters(operation),
        validBodies(operation),
        strange,
        async (valid, body, value) => {
          const { status } = await ask(name, operation, {
            parameters: { ...valid, [parameter.name]: value },
            body,
          })
          expect(status).toBe(parameter.in === 'path' ? 404 : 400)
        },
      ),
      RUNS,
    )
  },
)

test.each(parameters.filter(([, , , it]) => it.required && it.in === 'query'))(
  '%s is required',
  async (_, name, operation, { name: missing }) => {
    const id = '00000000-0000-4000-8000-000000000000'
    const { status, text } = await ask(name, operation, { parameters: { id } })
    expect(status).toBe(400)
    expect(text).toContain(missing)
  },
)
