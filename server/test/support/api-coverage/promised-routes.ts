import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { features } from '../../../src/app.ts'
import { apiDocument } from '../../../src/generated-docs/api-document.ts'
import type { Route } from '../../../src/platform/http/route.ts'

type Operations = Readonly<Record<string, unknown>>

/** By `get /path`. */
function operationsIn(document: object): Operations {
  const { paths } = JSON.parse(JSON.stringify(document)) as {
    readonly paths: Readonly<Record<string, Operations>>
  }
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation]),
    ),
  )
}

const PROMISED = operationsIn(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8')) as object,
)

/** The endpoints of a feature beside what openapi.json promises: parameters, bodies, answers, statuses and scopes. */
export function servedAndPromised(rest: readonly Route[]) {
  const served = operationsIn(apiDocument([{ name: '', tables: {}, rest }]))
  const there = operationsIn(apiDocument(features))
  const nowhere = Object.keys(PROMISED).filter((name) => !(name in there))
  return {
    served,
    promised: Object.fromEntries([
      ...Object.keys(served).map((name) => [name, PROMISED[name]]),
      ...nowhere.map((name) => [name, 'is nowhere']),
    ]),
  }
}
