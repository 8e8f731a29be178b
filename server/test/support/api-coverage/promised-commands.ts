import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { features } from '../../../src/app.ts'
import { maintenanceCommands } from '../../../src/commands/commands.ts'
import type { Command } from '../../../src/platform/cli/command.ts'
import { usageOf } from '../../../src/platform/cli/help.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/commands.md'), 'utf8')
/** Usages by the path of the command. */
const PROMISED = new Map(
  [...PAGE.matchAll(/^## `([^`]+)`\n\n```\n([^`]+)\n```$/gm)].map(([, path = '', usage = '']) => [
    path,
    usage,
  ]),
)

/**
 * How commands are called, beside what docs/commands.md promises: whether a command is of a tenant, can be tried, and which of
 * its options are flags or may be repeated.
 */
export function usedAndPromised(commands: readonly Command[]) {
  const all = [...maintenanceCommands, ...features.flatMap((it) => it.commands ?? [])]
  const there = new Set(all.map(({ path }) => path))
  return {
    used: commands.map(usageOf),
    promised: [
      ...commands.map(({ path }) => PROMISED.get(path)),
      ...[...PROMISED.keys()].filter((path) => !there.has(path)).map((path) => `${path} is nowhere`),
    ],
  }
}
