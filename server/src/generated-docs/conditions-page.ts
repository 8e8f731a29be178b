import type { Ctx } from '#platform/context.ts'
import { comparisonsOf } from '#platform/conditions/parse.ts'
import type { PartCollection, PartField } from '#platform/conditions/subject.ts'
import { features } from '../app.ts'
import { sharedSubject, subjectsOf } from '../startup/conditions.ts'

/** docs/conditions.md: the language of conditions, and every field that features add to it. */
export function conditionsPage(): string {
  const sections = [...subjectsOf(features, READER)].map((name) => {
    const { fields, collections, vocabulary } = sharedSubject(features, READER, name)
    const own = fields.filter((it) => !it.name.includes('.'))
    const owners = [...new Set(fields.flatMap((it) => it.name.split('.').slice(0, -1)))]
    return [
      `## Fields of each ${name}`,
      table(own),
      ...owners.map(
        (owner) =>
          `All fields of the ${owner} it belongs to, with \`${owner}.\` before them: \`${owner}.name\`.`,
      ),
      ...(owners.length === 0 ? collections.map(collectionText) : []),
      ...(vocabulary.search ? [] : [`There are no words to search for in each ${name}.`]),
    ].join('\n\n')
  })
  return `${HEAD}\n${sections.join('\n\n')}\n`
}

/** Who may read everything; fields do not depend on the tenant. */
const READER = {
  tenantId: '',
  now: () => new Date(0),
  actor: { kind: 'system', id: '', may: () => true },
} as unknown as Ctx

const collectionText = ({ name, sentence, usual, fields }: PartCollection): string =>
  [
    `### The collection \`${name}\``,
    `${sentence}${usual === undefined ? '' : ` (\`${usual}\`)`} Inside of \`any ${name}( )\`, \`no ${name}( )\` and \`count ${name}( )\`:`,
    table(fields),
  ].join('\n\n')

const table = (fields: readonly PartField[]): string =>
  [
    '| field | type | comparisons | meaning | known from |',
    '| --- | --- | --- | --- | --- |',
    ...fields.map(row),
  ].join('\n')

function row(field: PartField): string {
  const { name, aliases = [], type, isList, unit, values, sentence, source } = field
  const names = [name, ...aliases].map((it) => `\`${it}\``).join(', ')
  const kind = `${type}${isList ? ' (several)' : ''}${unit === undefined ? '' : `, ${unit}`}`
  const comparisons = comparisonsOf({ ...field, read: () => undefined }).map((it) => `\`${it}\``)
  const choices = values ? ` One of ${values.join(', ')}.` : ''
  return `| ${names} | ${kind} | ${comparisons.join(' ')} \`in\` | ${sentence}${choices} | ${source} |`
}

const HEAD = `# Conditions

A condition says which things of a list are meant: assets, findings, software and others below. The parameter \`where\` of \`GET /assets\` and \`GET /vulnerabilities\`, the lists of the command line and of GraphQL take one.

\`\`\`
os:windows and type=server and seen < -30d and any finding(severity=critical)
any software(name=firefox and version < 120)
not has serial
ip=10.0.0.0/8
\`\`\`

## The language

| written | means |
| --- | --- |
| \`field = value\`, \`!=\`, \`<\`, \`<=\`, \`>\`, \`>=\` | compares; of several values one must fit, for \`!=\` none |
| \`field : value\` | contains the text; for addresses, lies in the network |
| \`field in (value, value)\` | is one of them |
| \`has field\` | whether it is known |
| \`any things(…)\`, \`no things(…)\` | one of its things fits, or none |
| \`count things(…) > 3\` | how many of its things fit |
| \`word\`, \`"two words"\` | free text, as the search of the app finds it |
| \`a and b\`, \`a b\`, \`a or b\`, \`not a\`, \`( )\` | logic; \`and\` binds closer than \`or\` |

Values: a word, a \`"text in quotes"\`, \`3.5\`, \`yes\` or \`no\`, a day \`2026-03-31\`, an instant \`2026-03-31T12:00:00Z\`, a span from now \`-30d\` or \`+90d\` (h, d, w, m of 30 days, y of 365 days; lists count it from the beginning of the minute), an address or a network \`10.0.0.0/8\`. Texts are compared whatever their case, width and blanks.

**Unknown.** What was never collected is neither true nor false. \`serial = X\` and \`not serial = X\` both leave out an asset whose serial number nobody read; \`has\` and \`not has\` find it. In lists only what is true is found. Of things it is the same: \`no software(version < 3)\` is true where each version is known and none is below 3, false where one is below, else unknown; \`no software(has version and version < 3)\` asks about those alone whose version is known.

**Custom fields** are asked about by \`custom.\` and their key: \`custom.cost_centre = 4711\` for a field named Cost centre, by the comparisons of its kind. A field that is renamed is found by its earlier keys too.

**Groups** are conditions with a name. \`group = "Oslo servers"\` asks whether the condition of the group is true of the asset now: yes or no, never unknown. Groups may ask about other groups, not about themselves. The comparisons are \`=\`, \`!=\` and \`in\`.

Limits: 4,096 characters, 100 terms (500 with those of groups), 32 levels, 500 values in a list, 10 seconds. What cannot be read is answered with 400 \`invalid_request\`; the message names the parameter, the place and what was expected there.

The list of findings has open ones, unless \`fixed\` is given or the condition asks about \`status\`. Fields that the caller may not read do not exist for it.

This page is made from the fields that features declare, by \`npm run generate\`.
`
