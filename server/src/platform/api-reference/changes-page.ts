import type { GraphQLSchema } from 'graphql'
import { deprecatedFields } from './deprecated-fields.ts'
import { table, text, type ApiDocument } from './reference-page.ts'

/** The sections of the changelog about what programs see. */
const SECTIONS = ['API', 'Events']

/** What the reference pages are made of. */
export interface ReferenceSources {
  readonly document: ApiDocument
  readonly schema: GraphQLSchema
  readonly changelog: string
}

/** What is deprecated, and the changes of the REST API and of events, release by release, from the changelog; plain HTML without scripts. */
export function changesPage({ document, schema, changelog }: ReferenceSources, stylesheet: string): string {
  const { title, version } = document.info
  const releases = changesOf(changelog)
    .filter(({ sections }) => sections.length > 0)
    .map(
      ({ release, sections }) =>
        `<h2>${text(release)}</h2>${sections
          .map(({ name, lines }) => `<h3>${text(name)}</h3><ul>${lines.map(item).join('')}</ul>`)
          .join('')}`,
    )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Changes of the ${text(title)} API</title>
<link rel="stylesheet" href="${text(stylesheet)}">
</head>
<body>
<div class="page">
<main>
<h1>Changes of the ${text(title)} API ${text(version)}</h1>
<p>Version 1 only grows. A deprecated endpoint says so in the headers <code>Deprecation</code>, <code>Sunset</code> and <code>Link</code>, a field of GraphQL by <code>@deprecated</code>. The <a href="/docs/api">reference</a> lists all endpoints.</p>
<h2>Deprecated</h2>
${deprecated(document, schema)}
${releases.join('')}
</main>
</div>
</body>
</html>
`
}

interface Release {
  readonly release: string
  readonly sections: readonly { readonly name: string; readonly lines: readonly string[] }[]
}

/** `## release`, `### section` and `- line` of a changelog in the form of keepachangelog.com; the sections of SECTIONS. */
export function changesOf(changelog: string): Release[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...sections] = part.split(/^### /m)
      return {
        release: head.split('\n')[0]?.trim() ?? '',
        sections: sections
          .map((section) => {
            const [name = '', ...lines] = section.split('\n')
            return {
              name: name.trim(),
              lines: lines.filter((it) => it.startsWith('- ')).map((it) => it.slice(2)),
            }
          })
          .filter(({ name }) => SECTIONS.includes(name)),
      }
    })
}

/** Endpoints of the REST API and fields of GraphQL in one table. */
function deprecated({ paths }: ApiDocument, schema: GraphQLSchema): string {
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.deprecated)
      .map(([method, operation]) => [
        `\`${method.toUpperCase()} ${path}\``,
        operation['x-deprecation'] ?? '',
      ]),
  )
  const fields = deprecatedFields(schema).map(({ place, reason }) => [`GraphQL \`${place}\``, reason])
  const rows = [...endpoints, ...fields].map((cells) => cells.map((cell) => markdown(cell ?? '')))
  return rows.length === 0 ? '<p>None.</p>' : table(['What', 'Until when, and what to use instead'], rows)
}

/** Of Markdown only code spans. */
const markdown = (line: string): string => text(line).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const item = (line: string): string => `<li>${markdown(line)}</li>`
