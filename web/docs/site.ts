import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { FIRST, MENU, OF_THE_ROOT } from './menu.ts'
import { pageOf, type MenuLine } from './page.ts'
import { renderDocument, targetOf, type Rendered } from './render.ts'

/** A file of the site, its path as in its address. */
export interface SiteFile {
  readonly path: string
  readonly content: Buffer | string
}

const ROOT = join(import.meta.dirname, '../..')
const DECISIONS = 'docs/decisions/'
/** Words of a part that the search looks through. */
const WORDS_MAX = 40_000
const AT_ROOT = '/docs'
/** Shows what it is given beside documents, as they are. */
const SHOWN_AS_THEY_ARE = new Set(['.png', '.svg', '.xsd'])

/** Every document as a page, with what pages show and load: docs/*.md, the decisions, and what the root says. */
export function siteFiles(): SiteFile[] {
  const documents = readDocuments()
  const files = pageFiles()
  const menu = menuOf(documents)
  const pages = [...documents].map(([path, rendered]) => {
    const address = addressOf(path)
    return { path: fileOf(address), content: pageOf({ address, ...rendered }, menu, files.addresses) }
  })
  return [...pages, ...files.all, ...pictures(), searchIndex(documents), notThere(menu, files.addresses)]
}

/** By the path of the file. */
export function readDocuments(): Map<string, Rendered> {
  const paths = documentPaths()
  const known = new Set(paths)
  const resolve = (from: string, target: string): string | undefined => {
    if (target.startsWith('/')) return target
    const { file, fragment } = targetOf(from, target)
    if (known.has(file)) return addressOf(file) + fragment
    return file.startsWith('docs/') && SHOWN_AS_THEY_ARE.has(extname(file)) ? `/${file}` : undefined
  }
  return new Map(
    paths.map((path) => [path, renderDocument(readFileSync(join(ROOT, path), 'utf8'), path, resolve)]),
  )
}

const documentPaths = (): string[] => [
  ...filesIn('docs').filter((it) => it.endsWith('.md')),
  ...filesIn(DECISIONS).filter((it) => it.endsWith('.md') && !it.endsWith('/template.md')),
  ...Object.keys(OF_THE_ROOT),
]

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(folder, it.name))
    .toSorted()

/** `/docs/install` for docs/install.md. */
export function addressOf(path: string): string {
  const ofRoot = OF_THE_ROOT[path]
  if (ofRoot) return `${AT_ROOT}/${ofRoot}`
  const name = path.slice('docs/'.length, -'.md'.length)
  return name === FIRST ? AT_ROOT : `${AT_ROOT}/${name}`
}

const fileOf = (address: string): string =>
  address === AT_ROOT ? 'index.html' : `${address.slice(AT_ROOT.length + 1)}.html`

function menuOf(documents: ReadonlyMap<string, Rendered>): MenuLine[] {
  const link = (path: string, title = documents.get(path)?.title ?? path) => ({
    address: addressOf(path),
    title,
  })
  const sections = MENU.map(({ title, documents: names }) => ({
    title,
    links: names.map((name) => link(`docs/${name}.md`)),
  }))
  const ofTheRoot = Object.keys(OF_THE_ROOT).map((path) => link(path))
  return [...sections, { title: 'Build it', links: ofTheRoot }]
}

function pageFiles() {
  const styles = [join(ROOT, 'web/src/styles/tokens.css'), join(import.meta.dirname, 'docs.css')]
  const style = hashed('docs.css', styles.map((it) => readFileSync(it, 'utf8')).join('\n'))
  const script = hashed('docs.js', readFileSync(join(import.meta.dirname, 'docs.js'), 'utf8'))
  const icon = hashed('icon.svg', readFileSync(join(ROOT, 'web/src/icon.svg'), 'utf8'))
  const at = ({ path }: SiteFile) => `${AT_ROOT}/${path}`
  return { all: [style, script, icon], addresses: { style: at(style), script: at(script), icon: at(icon) } }
}

function hashed(name: string, content: string): SiteFile {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10)
  const extension = extname(name)
  return { path: `static/${basename(name, extension)}-${hash}${extension}`, content }
}

/** Pictures lie beside the documents in folders of their own. */
const pictures = (): SiteFile[] =>
  ['docs', 'docs/screens', 'docs/reports']
    .flatMap(filesIn)
    .filter((path) => SHOWN_AS_THEY_ARE.has(extname(path)))
    .filter((path) => isShown(path))
    .map((path) => ({ path: path.slice('docs/'.length), content: readFileSync(join(ROOT, path)) }))

const isShown = (path: string): boolean =>
  documentPaths().some((it) => readFileSync(join(ROOT, it), 'utf8').includes(basename(path)))

/** What the search in the browser reads: each document's title, parts and words. */
function searchIndex(documents: ReadonlyMap<string, Rendered>): SiteFile {
  const lines = [...documents]
    .filter(([path]) => !path.startsWith(DECISIONS))
    .map(([path, { title, headings, words }]) => ({
      address: addressOf(path),
      title,
      parts: headings.map(({ id, text }) => [id, text]),
      words: words.slice(0, WORDS_MAX).toLowerCase(),
    }))
  return { path: 'search.json', content: JSON.stringify(lines) }
}

function notThere(menu: readonly MenuLine[], files: Parameters<typeof pageOf>[2]): SiteFile {
  const html =
    '<h1>There is no such document</h1>\n<p>Perhaps it has another name now: the menu has them all.</p>'
  return {
    path: '404.html',
    content: pageOf({ address: '', title: 'Not there', html, headings: [] }, menu, files),
  }
}
