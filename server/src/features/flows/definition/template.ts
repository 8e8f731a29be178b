/**
 * Texts with places for values of a run: `{{event.asset_name}}`, `{{steps.ticket.status | default:"none"}}`. Dotted
 * paths and filters only; values are data and are never read as templates again.
 */
export interface Template {
  readonly parts: readonly (string | Place)[]
}

interface Place {
  readonly path: readonly string[]
  readonly filters: readonly { readonly name: FilterName; readonly argument: string }[]
}

type Filter = (value: unknown, argument: string) => unknown

const text = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value as number | boolean)

const filters = {
  upper: (value) => text(value).toUpperCase(),
  lower: (value) => text(value).toLowerCase(),
  trim: (value) => text(value).trim(),
  default: (value, argument) => (text(value) === '' ? argument : value),
  json: (value) => JSON.stringify(value ?? null),
  url: (value) => encodeURIComponent(text(value)),
  date: (value) => text(value).slice(0, 10),
  truncate: (value, argument) => text(value).slice(0, Number(argument) || 0),
  join: (value, argument) => (Array.isArray(value) ? value.map(text).join(argument || ', ') : text(value)),
  count: (value) => (Array.isArray(value) ? value.length : 0),
} satisfies Record<string, Filter>

type FilterName = keyof typeof filters
export const filterNames = Object.keys(filters) as FilterName[]

const PLACE = /\{\{(.*?)\}\}/gs
const PATH = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/
const FILTER = /^([a-z]+)(?:\s*:\s*(?:"([^"]*)"|([\w.-]+)))?$/
const ROOTS = ['event', 'before', 'asset', 'steps', 'run', 'item', 'secrets']

/** A path whose value can be a list. */
export const PATH_IN_LIST = /^(?:event|asset|steps|item)(?:\.[\w-]+)*$/

/** Throws an Error that says what is wrong, for the person who wrote the text. */
export function parseTemplate(source: string): Template {
  const parts: (string | Place)[] = []
  let from = 0
  for (const match of source.matchAll(PLACE)) {
    parts.push(source.slice(from, match.index), parsePlace(match[1] ?? ''))
    from = match.index + match[0].length
  }
  parts.push(source.slice(from))
  return { parts: parts.filter((part) => part !== '') }
}

function parsePlace(source: string): Place {
  const [path = '', ...rest] = source.split('|').map((part) => part.trim())
  if (!PATH.test(path)) throw new Error(`{{${source}}} is no path such as event.asset_name`)
  const [root = ''] = path.split('.')
  if (!ROOTS.includes(root)) throw new Error(`${path} begins with none of ${ROOTS.join(', ')}`)
  return { path: path.split('.'), filters: rest.map(parseFilter) }
}

function parseFilter(source: string): Place['filters'][number] {
  const match = FILTER.exec(source)
  const name = match?.[1] ?? ''
  if (!match || !isFilterName(name))
    throw new Error(`${source} is none of the filters ${filterNames.join(', ')}`)
  return { name, argument: match[2] ?? match[3] ?? '' }
}

const isFilterName = (name: string): name is FilterName => Object.hasOwn(filters, name)

/** The text with the values of `scope` in their places; what is not there is empty. */
export function renderTemplate(source: string, scope: Readonly<Record<string, unknown>>): string {
  return parseTemplate(source)
    .parts.map((part) => (typeof part === 'string' ? part : text(valueAt(part, scope))))
    .join('')
}

/** Settings with the values of `scope` in the places of those that are `templates`: texts, lists and objects of texts. */
export function filledSettings(
  templates: readonly string[],
  settings: Readonly<Record<string, unknown>>,
  scope: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const rendered: Record<string, unknown> = {}
  for (const name of templates) {
    const given = settings[name]
    if (given !== undefined) rendered[name] = filled(given, scope)
  }
  return { ...settings, ...rendered }
}

function filled(given: unknown, scope: Readonly<Record<string, unknown>>): unknown {
  if (typeof given === 'string') return renderTemplate(given, scope)
  if (Array.isArray(given)) return given.map((it) => filled(it, scope))
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, filled(value, scope)]))
}

/** The names of secrets that the settings ask for as `{{secrets.NAME}}`. */
export function secretsIn(settings: unknown): string[] {
  const found = JSON.stringify(settings ?? null).matchAll(/\{\{\s*secrets\.([\w-]+)/g)
  return [...new Set([...found].map(([, name = '']) => name))]
}

/** The value at a dotted path; undefined where there is none. */
export const valueAtPath = (path: string, scope: Readonly<Record<string, unknown>>): unknown =>
  valueAt({ path: path.split('.'), filters: [] }, scope)

function valueAt({ path, filters: chain }: Place, scope: Readonly<Record<string, unknown>>): unknown {
  const value = path.reduce<unknown>(
    (held, name) =>
      typeof held === 'object' && held !== null && Object.hasOwn(held, name)
        ? (held as Record<string, unknown>)[name]
        : undefined,
    scope,
  )
  return chain.reduce<unknown>((held, { name, argument }) => filters[name](held, argument), value)
}
