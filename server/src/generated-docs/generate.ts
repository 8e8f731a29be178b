import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandsPage } from './commands-page.ts'
import { configurationPage } from './configuration-page.ts'
import { openApiPage } from './openapi-page.ts'
import { schemaPage } from './schema-page.ts'
import type { CommandResult } from '#platform/cli/command.ts'

/** A file made from code and committed, so that a review sees a change of behaviour as a difference. */
interface Generated {
  readonly path: string
  readonly content: () => string
}

const ROOT = join(import.meta.dirname, '../../..')

const files: readonly Generated[] = [
  { path: 'docs/configuration.md', content: configurationPage },
  { path: 'docs/commands.md', content: commandsPage },
  { path: 'server/openapi.json', content: openApiPage },
  { path: 'server/schema.graphql', content: schemaPage },
]

export async function generate(): Promise<CommandResult> {
  const outdated = await findOutdated()
  for (const { path, content } of outdated) await writeFile(join(ROOT, path), content())
  const written = outdated.map((it) => it.path)
  return { json: { written }, text: written.length > 0 ? `Wrote ${written.join(', ')}.` : 'All up to date.' }
}

/** Bad news names the files; `generate` mends them. */
export async function checkGenerated(): Promise<CommandResult> {
  const outdated = (await findOutdated()).map((it) => it.path)
  return outdated.length === 0
    ? { json: { outdated }, text: 'All up to date.' }
    : { json: { outdated }, text: `Out of date: ${outdated.join(', ')}. Run npm run generate.`, isBad: true }
}

async function findOutdated(): Promise<Generated[]> {
  const states = files.map(async (it) => {
    const present = await readFile(join(ROOT, it.path), 'utf8').catch(() => undefined)
    return present === it.content() ? [] : [it]
  })
  return (await Promise.all(states)).flat()
}
