import { settings } from '../config.ts'

/** docs/configuration.md: every setting, from the one schema that reads them. */
export function configurationPage(): string {
  const entries = Object.values(settings).map((it) => {
    const fallback = 'otherwise' in it ? it.otherwise : `\`${String(it.fallback as string | number)}\``
    return `## \`${it.name}\`\n\n${it.help}\n\nDefault: ${fallback}${'secret' in it ? '. Secret: never printed, only as set or unset.' : '.'}`
  })
  return `${HEAD}\n${entries.join('\n\n')}\n`
}

const HEAD = `# Configuration

The environment decides; there is no configuration file. All settings are read once, at the start. If one does not fit, the start fails and lists every problem. \`LOG_LEVEL=debug\` prints what was understood.

For any setting \`X\`, \`X_FILE\` names a file that holds its value, as secrets are handed over in containers.

This page is made from \`server/src/config.ts\` by \`npm run generate\`.
`
