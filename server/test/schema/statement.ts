/** A statement as nested lists of words: what stands in parentheses is a list of its own. */
export type Words = readonly (string | Words)[]

export interface TableUse {
  readonly table: string
  readonly alias: string
  readonly does: 'reads' | 'inserts' | 'changes'
  /** The query that uses it, without what stands in parentheses. */
  readonly query: Words
  /** Where the table's name stands in the query. */
  readonly at: number
}

const TOKEN =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|('(?:[^']|'')*')|"([^"]+)"|(\$\d+|[a-z_][\w$]*|\d[\w.]*|::|[-+*/<>=~!@#%^&|?]+|.)/gi

/** Comments are left out; what is not quoted is in lower case. */
export function wordsOf(text: string): Words {
  const open: (string | Words)[][] = [[]]
  for (const [, string, quoted, word] of text.matchAll(TOKEN)) {
    const top = open.at(-1) ?? []
    if (word === '(') {
      const inner: Words[] = []
      top.push(inner)
      open.push(inner)
    } else if (word === ')') open.pop()
    else if (string !== undefined || quoted !== undefined || word !== undefined)
      top.push(string ?? quoted ?? word?.toLowerCase() ?? '')
  }
  return open[0] ?? []
}

const isWord = (it: string | Words | undefined): it is string => typeof it === 'string'

/** All queries: the statement, what stands in parentheses, and each part of a union by itself. */
export function queriesIn(words: Words): Words[] {
  const parts: (string | Words)[][] = [[]]
  for (const word of words)
    if (isWord(word) && /^(union|except|intersect)$/.test(word)) parts.push([])
    else parts.at(-1)?.push(word)
  return [...parts, ...words.flatMap((it) => (isWord(it) ? [] : queriesIn(it)))]
}

const NO_ALIAS = new Set(
  'as cross default do for full group having inner join left limit natural offset on order returning right select set using values where window with'.split(
    ' ',
  ),
)
const END_OF_FROM = new Set('where group having order limit offset returning set for window'.split(' '))

/** Where a statement uses one of these tables. */
export function tableUses(words: Words, isTable: (name: string) => boolean): TableUse[] {
  return queriesIn(words).flatMap((query) => {
    const uses: TableUse[] = []
    let inFrom = false
    query.forEach((word, at) => {
      if (word === 'from' || word === 'using' || word === 'join') inFrom = true
      else if (isWord(word) && END_OF_FROM.has(word)) inFrom = false
      const table = query[at + (query[at + 1] === 'only' ? 2 : 1)]
      if (!isWord(word) || !isWord(table) || !isTable(table)) return
      const does = doing(query, at, inFrom)
      if (does) uses.push({ table, alias: aliasAt(query, at + 2) ?? table, does, query, at: at + 1 })
    })
    return uses
  })
}

function doing(query: Words, at: number, inFrom: boolean): TableUse['does'] | undefined {
  const [before, word] = [query[at - 1], query[at]]
  if (word === 'into') return 'inserts'
  if (word === 'update') return 'changes'
  if (word === 'from' && before === 'delete') return 'changes'
  const isListed = inFrom && word === ','
  return isListed || word === 'from' || word === 'join' || word === 'using' ? 'reads' : undefined
}

function aliasAt(query: Words, at: number): string | undefined {
  const word = query[at] === 'as' ? query[at + 1] : query[at]
  return isWord(word) && /^[a-z_]/.test(word) && !NO_ALIAS.has(word) ? word : undefined
}

/** Whether the query says `alias.tenant_id = $n`, or `tenant_id = $n` of no table in particular, whatever else is said. */
export function namesTenant({ query, alias }: TableUse): boolean {
  return query.some((word, at) => {
    if (word !== 'tenant_id' || query[at + 1] !== '=') return false
    const value = query[at + 2]
    if (!isWord(value) || !value.startsWith('$')) return false
    return (query[at - 1] !== '.' || query[at - 2] === alias) && !isOneOfSeveral(query, at)
  })
}

const JOINS = new Set('cross inner join lateral left natural right'.split(' '))

/** Whether what stands at `at` is only asked for where something else does not hold: `or` binds less than `and`. */
function isOneOfSeveral(query: Words, at: number): boolean {
  const ends = (word: string | Words): boolean =>
    isWord(word) && (word === 'on' || word === 'when' || END_OF_FROM.has(word) || JOINS.has(word))
  const begin = query.findLastIndex((word, n) => n < at && ends(word))
  const end = query.findIndex((word, n) => n > at && ends(word))
  const clause = query.slice(begin + 1, end === -1 ? undefined : end)
  return withoutCases(clause).includes('or')
}

function withoutCases(words: Words): Words {
  let depth = 0
  return words.filter((word) => {
    if (word === 'case') depth += 1
    const isOutside = depth === 0
    if (word === 'end') depth = Math.max(0, depth - 1)
    return isOutside
  })
}

/** Every word of a list and of the lists in it. */
export const allWords = (words: Words): string[] => words.flatMap((it) => (isWord(it) ? [it] : allWords(it)))

/** The functions that are called. */
export const callsIn = (words: Words): string[] =>
  words.flatMap((word, at) => {
    if (!isWord(word)) return callsIn(word)
    return isWord(words[at + 1]) || words[at + 1] === undefined ? [] : [word]
  })
