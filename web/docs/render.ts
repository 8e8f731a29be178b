import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'

export interface Heading {
  readonly id: string
  readonly text: string
  readonly depth: number
}

export interface Rendered {
  readonly title: string
  readonly html: string
  /** Of the second depth and below. */
  readonly headings: readonly Heading[]
  /** All words in order, for the search. */
  readonly words: string
}

/** Where a link from the file at `from` leads on the site; undefined when what it names is not there. */
export type Resolve = (from: string, target: string) => string | undefined

/** A document as HTML. `path` is that of its file. Markup in it is refused, so that a page has no more than Markdown can say. */
export function renderDocument(markdown: string, path: string, resolve: Resolve): Rendered {
  const marked = new Marked({ gfm: true })
  const tokens = marked.lexer(markdown)
  const headings = headingsOf(tokens)
  const ids = headings.values()
  marked.use({
    renderer: {
      heading({ tokens: inner, depth }) {
        const { value } = ids.next()
        const id = escaped(value?.id ?? '')
        const html = this.parser.parseInline(inner)
        const anchor =
          depth > 1 ? ` <a class="anchor" href="#${id}" aria-label="Link to this part">#</a>` : ''
        return `<h${depth} id="${id}">${html}${anchor}</h${depth}>\n`
      },
      link({ href, tokens: inner }) {
        const text = this.parser.parseInline(inner)
        const target = isOutside(href) ? href : resolve(path, href)
        return target === undefined ? text : `<a href="${escaped(target)}">${text}</a>`
      },
      image({ href, text }) {
        return `<img src="${escaped(resolve(path, href) ?? '')}" alt="${escaped(text)}" loading="lazy">`
      },
      html({ text }) {
        throw new Error(`${path} has markup, which documents must not have: ${text.trim()}`)
      },
      code({ text, lang }) {
        const language = lang ? ` data-language="${escaped(lang)}"` : ''
        return `<pre tabindex="0"${language}><code>${escaped(text)}</code></pre>\n`
      },
      table(token) {
        return `<div class="scroll" tabindex="0">${tableOf(token, (cell) => this.parser.parseInline(cell))}</div>\n`
      },
    },
  })
  const html = marked.parser(tokens)
  return {
    title: headings.find(({ depth }) => depth === 1)?.text ?? path,
    html,
    headings: headings.filter(({ depth }) => depth > 1),
    words: wordsOf(tokens),
  }
}

const isOutside = (href: string): boolean => /^(https?:|mailto:)/.test(href)

/** The file that a relative link names, and its fragment. */
export function targetOf(from: string, href: string): { file: string; fragment: string } {
  const [path = '', fragment] = href.split('#')
  const file = path === '' ? from : posix.normalize(posix.join(posix.dirname(from), path))
  return { file, fragment: fragment === undefined ? '' : `#${fragment}` }
}

function headingsOf(tokens: readonly Token[]): Heading[] {
  const taken = new Map<string, number>()
  return tokens
    .filter((it): it is Tokens.Heading => it.type === 'heading')
    .map(({ tokens: inner, depth }) => {
      const text = wordsOf(inner)
      const plain = idOf(text)
      const before = taken.get(plain) ?? 0
      taken.set(plain, before + 1)
      return { id: before === 0 ? plain : `${plain}-${before}`, text, depth }
    })
}

/** As code forges make them, so that links work there too. */
const idOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'table') return cellsOf(token as Tokens.Table)
      if (token.type === 'list')
        return (token as Tokens.List).items.map(({ tokens: of }) => wordsOf(of)).join(' ')
      if ('tokens' in token && token.tokens) return wordsOf(token.tokens)
      return 'text' in token ? String(token.text) : ' '
    })
    .join('')
    .replaceAll(/\s+/g, ' ')
}

const cellsOf = ({ header, rows }: Tokens.Table): string =>
  [header, ...rows].map((row) => row.map(({ tokens }) => wordsOf(tokens)).join(' ')).join(' ')

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const line = (cells: Tokens.TableCell[], tag: string) =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${inline(tokens)}</${tag.split(' ')[0]}>`).join('')}</tr>`
  const isHeaded = header.some(({ text }) => text !== '')
  const head = isHeaded ? `<thead>${line(header, 'th scope="col"')}</thead>` : ''
  return `<table>${head}<tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (it) => ENTITIES[it] ?? it)
