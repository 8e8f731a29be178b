import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MENU } from './menu.ts'
import { renderDocument } from './render.ts'
import { addressOf, readDocuments, siteFiles } from './site.ts'

const ROOT = join(import.meta.dirname, '../..')
const files = new Map(siteFiles().map(({ path, content }) => [path, String(content)]))
const pages = [...files].filter(([path]) => path.endsWith('.html'))
/** The server's own pages below /docs. */
const OF_THE_SERVER = ['/docs/api', '/docs/api/changes']

const fileAt = (address: string): string => {
  const path = address.replace(/^\/docs\/?/, '')
  if (path === '') return 'index.html'
  return path.includes('.') ? path : `${path}.html`
}

test('every document is in the menu, once', () => {
  const written = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  const named = MENU.flatMap(({ documents }) => documents).map((name) => `${name}.md`)
  expect(named.toSorted()).toEqual(written.toSorted())
})

test('every link within the site leads to a page and to a part that are there', () => {
  const dead = pages.flatMap(([path, html]) =>
    [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
      .map(([, target = '']) => (target.startsWith('#') ? `/docs/${path}${target}` : target))
      .filter((target) => target.startsWith('/docs') && !OF_THE_SERVER.includes(target))
      .filter((target) => {
        const [address = '', id] = target.split('#')
        const content = files.get(fileAt(address))
        return content === undefined || (id !== undefined && !content.includes(` id="${id}"`))
      })
      .map((target) => `${path}: ${target}`),
  )
  expect(dead).toEqual([])
})

test('no link between documents was lost', () => {
  const lost = [...readDocuments()].flatMap(([path, { html }]) => {
    const markdown = readFileSync(join(ROOT, path), 'utf8')
    return [...markdown.matchAll(/(?<!!)\[([^\]`]+)\]\((?!https?:)([^)#\s]+\.md)(#[^)\s]+)?\)/g)]
      .filter(([, text = '']) => !html.includes(`>${text.replaceAll("'", '&#39;')}</a>`))
      .map(([whole]) => `${path}: ${whole}`)
  })
  expect(lost).toEqual([])
})

test('screens that documents link to are screens of the app', () => {
  const routes = join(ROOT, 'web/src/routes')
  const screens = new Set(
    readdirSync(routes).flatMap((name) =>
      [...readFileSync(join(routes, name), 'utf8').matchAll(/path: '([^']+)'/g)].map(([, path]) => path),
    ),
  )
  const named = [...readDocuments()].flatMap(([path, { html }]) =>
    [...html.matchAll(/href="(\/(?!docs)[^"]*)"/g)].map(([, target = '']) => ({ path, target })),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ target }) => !screens.has(target))).toEqual([])
})

test('pages have nothing inline, and load from the same server alone', () => {
  for (const [path, html] of pages) {
    const markup = html.replaceAll(/<code>[\s\S]*?<\/code>/g, '')
    expect([path, /<script(?! src="\/docs\/static\/)|\sstyle=|\son[a-z]+="|<style/i.exec(markup)]).toEqual([
      path,
      null,
    ])
    expect([path, [...html.matchAll(/src="(?!\/docs\/)[^"]*"/g)].map(String)]).toEqual([path, []])
  }
})

test('the search knows every document by its title and its parts', () => {
  const index = JSON.parse(files.get('search.json') ?? '[]') as { address: string; words: string }[]
  expect(index.map(({ address }) => address)).toContain(addressOf('docs/backup.md'))
  expect(index.find(({ address }) => address === '/docs/webhooks')?.words).toContain('x-service-signature')
})

const render = (markdown: string) => renderDocument(markdown, 'docs/a.md', (_, target) => `/docs/${target}`)

test('text is text, and markup in a document is refused', () => {
  expect(render('# A & B\n\n`<b>` "q" [b](b.md)\n\n```html\n<img src=x>\n```').html).toContain(
    '&lt;img src=x&gt;',
  )
  expect(() => render('# A\n\n<img src=x onerror=alert(1)>')).toThrow('docs/a.md has markup')
})

test('parts with the same name have addresses of their own', () => {
  expect(
    render('# A\n\n## Limits\n\n## Limits\n\n## What `x-y` is: 1.5').headings.map(({ id }) => id),
  ).toEqual(['limits', 'limits-1', 'what-x-y-is-15'])
})
