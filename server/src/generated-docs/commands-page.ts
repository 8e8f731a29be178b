import { optionsOf, usageOf, type Usage } from '#platform/cli/help.ts'

/** docs/commands.md: every command, from the same data that parses them. */
export function commandsPage(commands: readonly Usage[]): string {
  return `${HEAD}\n${commands.map(describe).join('\n\n')}\n`
}

function describe(command: Usage): string {
  const options = Object.entries(optionsOf(command)).map(
    ([name, it]) => `- \`--${name}${it.value ? ` ${it.value}` : ''}\`: ${it.help}`,
  )
  const usage = `## \`${command.path}\`\n\n\`\`\`\n${usageOf(command)}\n\`\`\`\n\n${command.help}.`
  return options.length > 0 ? `${usage}\n\n${options.join('\n')}` : usage
}

const HEAD = `# Commands

\`npx rollcall COMMAND\` in the clone. It talks to the same database as the server, whether that runs or not. For people by default; with \`--json\`, exactly one JSON value on standard output. Exit code 0 is done, 1 refused with the reason on standard error, 2 wrong usage.

This page is made from the commands themselves by \`npm run generate\`.
`
