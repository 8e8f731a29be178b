import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogue } from '../../src/features/events/events.ts'
import type { ApiDocument, EventSchemas } from './compare-documents.ts'

const SERVER = join(import.meta.dirname, '../..')

/** What clients may rely on: the REST API, the payloads of events and the GraphQL schema. */
export interface Contract {
  readonly api: ApiDocument
  readonly events: EventSchemas
  readonly graphql: string
}

const FROZEN = { api: 'openapi-v1.json', events: 'events-v1.json', graphql: 'schema-v1.graphql' }
const read = (path: string): string => readFileSync(join(SERVER, path), 'utf8')

/** As of the last release. */
export const frozenContract = (): Contract => ({
  api: JSON.parse(read(`contract/${FROZEN.api}`)) as ApiDocument,
  events: JSON.parse(read(`contract/${FROZEN.events}`)) as EventSchemas,
  graphql: read(`contract/${FROZEN.graphql}`),
})

export const currentContract = (): Contract => ({
  api: JSON.parse(read('openapi.json')) as ApiDocument,
  events: JSON.parse(eventsText()) as EventSchemas,
  graphql: read('schema.graphql'),
})

const eventsText = (): string => {
  const schemas = Object.entries(catalogue).map(([type, { payload }]) => [type, payload] as const)
  return `${JSON.stringify(Object.fromEntries(schemas), null, 2)}\n`
}

/** At a release: what is there now is what later versions are compared with. */
export function freezeContract(): void {
  writeFileSync(join(SERVER, 'contract', FROZEN.api), read('openapi.json'))
  writeFileSync(join(SERVER, 'contract', FROZEN.events), eventsText())
  writeFileSync(join(SERVER, 'contract', FROZEN.graphql), read('schema.graphql'))
}
