import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backgroundWorkPage } from './background-work-page.ts'
import { conditionsPage } from './conditions-page.ts'
import { commandsPage } from './commands-page.ts'
import { configurationPage } from './configuration-page.ts'
import { clientTypesPage } from './client-types-page.ts'
import { openApiPage } from './openapi-page.ts'
import { schemaPage } from './schema-page.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import type { Usage } from '#platform/cli/help.ts'

/** A file made from code and committed, so that a review sees a change of behaviour as a difference. */
interface Generated {
  readonly path: string
  readonly content: () => string
}

const ROOT = join(import.meta.dirname, '../../..')

const filesFor = (commands: readonly Usage[]): readonly Generated[] => [
  { path: 'docs/configuration.md', content: configurationPage },
  { path: 'docs/commands.md', content: () => commandsPage(commands) },
  { path: 'docs/background-work.md', content: backgroundWorkPage },
  { path: 'docs/conditions.md', content: conditionsPage },
  { path: 'server/openapi.json', content: openApiPage },
  { path: 'clients/typescript/src/generated/api.ts', content: clientTypesPage },
  { path: 'server/schema.graphql', content: schemaPage },
]

/** Writes the outdated files. `commands` are all commands of the command line, in the order of the page. */
export async function generate(commands: readonly Usage[]): Promise<CommandResult> {
  const outdated = await findOutdated(commands)
  for (const { path, content } of outdated) await writeFile(join(ROOT, path), content())
  const written = outdated.map((it) => it.path)
  return { json: { written }, text: written.length > 0 ? `Wrote ${written.join(', ')}.` : 'All up to date.' }
}

/** Changes nothing; exit code 1 when a file is outdated, with their names. */
export async function checkGenerated(commands: readonly Usage[]): Promise<CommandResult> {
  const outdated = (await findOutdated(commands)).map((it) => it.path)
  return outdated.length === 0
    ? { json: { outdated }, text: 'All up to date.' }
    : { json: { outdated }, text: `Out of date: ${outdated.join(', ')}. Run npm run generate.`, isBad: true }
}

async function findOutdated(commands: readonly Usage[]): Promise<Generated[]> {
  const states = filesFor(commands).map(async (it) => {
    const present = await readFile(join(ROOT, it.path), 'utf8').catch(() => undefined)
    return present === it.content() ? [] : [it]
  })
  return (await Promise.all(states)).flat()
}
