import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kind, parse, print } from 'graphql'
import { features } from '../../../src/app.ts'
import { commandsPage } from '../../../src/generated-docs/commands-page.ts'
import { schemaPage } from '../../../src/generated-docs/schema-page.ts'

const SERVER = join(import.meta.dirname, '../../..')

interface Parts {
  readonly commands: readonly string[]
  /** Types, queries and mutations. */
  readonly graphql: readonly string[]
}

/**
 * What the code of a room offers on the command line and over GraphQL, and the same as the committed pages have it:
 * all of its commands, and the types, queries and mutations whose names match. `npm run generate` writes the pages.
 */
export function offeredBy(room: string, names: RegExp): { readonly now: Parts; readonly committed: Parts } {
  const commands = features.find((it) => it.name === room)?.commands ?? []
  const titles = new Set(commands.map(({ path }) => path))
  const committed = sectionsOf(readFileSync(join(SERVER, '../docs/commands.md'), 'utf8'))
  return {
    now: { commands: sectionsOf(commandsPage(commands)), graphql: definitionsOf(schemaPage(), names) },
    committed: {
      commands: committed.filter((it) => titles.has(/^`([^`]+)`/.exec(it)?.[1] ?? '')),
      graphql: definitionsOf(readFileSync(join(SERVER, 'schema.graphql'), 'utf8'), names),
    },
  }
}

const sectionsOf = (page: string): string[] =>
  page
    .split('\n## ')
    .slice(1)
    .map((it) => it.trim())
    .toSorted()

/** The fields of Query and Mutation each by itself. */
function definitionsOf(schema: string, names: RegExp): string[] {
  const found: string[] = []
  for (const definition of parse(schema).definitions) {
    const isRoot =
      definition.kind === Kind.OBJECT_TYPE_DEFINITION && /^(?:Query|Mutation)$/.test(definition.name.value)
    for (const it of isRoot ? (definition.fields ?? []) : [definition])
      if ('name' in it && names.test(it.name?.value ?? '')) found.push(print(it))
  }
  return found
}
