import { escaped, type Heading } from './render.ts'

export interface Page {
  readonly address: string
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
}

export interface MenuLine {
  readonly title: string
  readonly links: readonly { readonly address: string; readonly title: string }[]
}

/** Where style, script and picture of the pages lie, with a hash of their content in the name. */
export interface PageFiles {
  readonly style: string
  readonly script: string
  readonly icon: string
}

/** Longer documents have their parts at the top. */
const PARTS_MIN = 3
const PARTS_MAX = 30

/** A page as it is served. The script is no more than the search and the theme; without it everything can be read. */
export function pageOf(page: Page, menu: readonly MenuLine[], { style, script, icon }: PageFiles): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)} · Rollcall documents</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script src="${script}"></script>
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="brand" href="/docs"><img src="${icon}" alt="" width="22" height="22">Rollcall <span>documents</span></a>
<form role="search" hidden><input type="search" aria-label="Search the documents" placeholder="Search the documents" autocomplete="off"><ol hidden></ol></form>
<nav aria-label="Elsewhere"><a href="/docs/api">REST API</a><a href="/">Open the app</a></nav>
</header>
<div class="columns">
<nav class="menu" aria-label="Documents"><details open><summary>All documents</summary>${menu.map((it) => section(it, page.address)).join('')}</details></nav>
<main id="content">
${page.html.replace('</h1>\n', `</h1>\n${parts(page.headings)}`)}
</main>
</div>
</body>
</html>
`
}

const section = ({ title, links }: MenuLine, current: string): string =>
  `<h2>${escaped(title)}</h2><ul>${links
    .map((it) => {
      const here = it.address === current ? ' aria-current="page"' : ''
      return `<li><a href="${it.address}"${here}>${escaped(it.title)}</a></li>`
    })
    .join('')}</ul>`

function parts(headings: readonly Heading[]): string {
  const shallowest = Math.min(...headings.map(({ depth }) => depth))
  const named = headings.filter(({ depth }) => depth === shallowest)
  if (named.length < PARTS_MIN || named.length > PARTS_MAX) return ''
  const links = named.map(({ id, text }) => `<li><a href="#${escaped(id)}">${escaped(text)}</a></li>`)
  return `<nav class="parts" aria-label="On this page"><ul>${links.join('')}</ul></nav>\n`
}
