import { randomUUID } from 'node:crypto'
import { features } from '../../../src/app.ts'
import type { Feature } from '../../../src/platform/feature.ts'
import { buildSchema, type GraphqlDoor } from '../../../src/platform/graphql/schema.ts'
import type { TestApp } from '../app/test-app.ts'
import { asker, headersOf } from '../http/graphql-client.ts'
import { operations, textOf } from './graphql-operations.ts'

/** The queries and mutations that a feature adds and that need a permission of the tenant. */
export function guardedIn(door: GraphqlDoor): string[] {
  const at = features.findIndex(({ graphql }) => graphql === door)
  const before = new Set(fieldsOf(features.slice(0, at)))
  return fieldsOf(features.slice(0, at + 1)).filter((name) => {
    const { permission, isOfAnyList } = operations[name] ?? {}
    return !before.has(name) && permission !== undefined && !isOfAnyList
  })
}

function fieldsOf(some: readonly Feature[]): string[] {
  const doors = some.filter(({ graphql }) => graphql !== undefined)
  if (doors.length === 0) return []
  const schema = buildSchema(some)
  return [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  )
}

/** What people are told who have every permission but the one that the operation needs, and what they must be told. */
export async function toldWithoutPermission(app: TestApp, name: string) {
  const { permission } = operations[name] ?? {}
  const all = new Set(Object.values(operations).flatMap((it) => it.permission ?? []))
  all.delete(permission ?? '')
  const ask = asker(app.as(), headersOf(await app.newTenant(), [...all]))
  const { errors = [] } = await ask(textOf(name, () => randomUUID()))
  return {
    told: errors.map(({ message, extensions }) => `${extensions.code}: ${message}`),
    promised: [`forbidden: permission required: ${permission}`],
  }
}
