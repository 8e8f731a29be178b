import { foundText, type FoundText } from './found-text.ts'
import { childrenTexts } from './jsx-texts.ts'
import { placeholderNames } from './placeholders.ts'
import { below, nameOf, nodeAt, nodesAt, parseSource, quasisOf, stringOf, type Node } from './syntax.ts'
import { isNamedInAddresses, isTextPlace } from './text-places.ts'
import { hasWords, knownAs } from './text-rules.ts'

/** The texts of a source, in its order; those in an expression of a text come after it. `path` is relative to `src`. */
export function findTexts(code: string, path: string): readonly FoundText[] {
  const found: FoundText[] = []
  visit(parseSource(code, path), [], { code, file: path }, found)
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end)
}

interface Source {
  readonly code: string
  readonly file: string
}

function visit(node: Node, above: readonly Node[], source: Source, found: FoundText[]): void {
  if (isSkipped(node)) return
  found.push(...textsOf(node, above, source))
  const path = [...above, node]
  for (const child of below(node)) visit(child, path, source, found)
}

/** Types and imports have strings, too. */
const isSkipped = ({ type }: Node): boolean =>
  type === 'ImportDeclaration' ||
  (type.startsWith('TS') &&
    !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type))

function textsOf(node: Node, above: readonly Node[], { code, file }: Source): readonly FoundText[] {
  const { type, start, end } = node
  if (type === 'JSXElement' || type === 'JSXFragment') return childrenTexts(node, above, code)
  if (type === 'CallExpression') return pluralOf(node)
  const text = stringOf(node)
  if (text !== undefined && hasWords(text) && isText(text, node, above, file))
    return [
      {
        ...foundText(text, {
          start,
          end,
          kind: above.at(-1)?.type === 'JSXAttribute' ? 'attribute' : 'string',
        }),
        isNamed: isNamedInAddresses(above),
      },
    ]
  return type === 'TemplateLiteral' ? templateOf(node, above, file) : []
}

function isText(text: string, node: Node, above: readonly Node[], file: string): boolean {
  if (isCompared(above.at(-1))) return false
  const known = knownAs(text, file)
  return known === undefined ? isTextPlace(text, node, above) : known === 'text'
}

const isCompared = (parent: Node | undefined): boolean =>
  parent?.type === 'SwitchCase' || (parent?.type === 'BinaryExpression' && parent['operator'] !== '+')

function templateOf(node: Node, above: readonly Node[], file: string): readonly FoundText[] {
  if (above.at(-1)?.type === 'TaggedTemplateExpression') return []
  const expressions = nodesAt(node, 'expressions')
  const names = placeholderNames(expressions)
  const text = quasisOf(node)
    .map((it, at) => it + (names[at] === undefined ? '' : `{${names[at]}}`))
    .join('')
  if (!hasWords(text) || !isText(text, node, above, file)) return []
  const places = new Map(expressions.map(({ start, end }, at) => [`{${names[at]}}`, { start, end }]))
  return [foundText(text, { start: node.start, end: node.end, kind: 'template' }, places)]
}

/** Functions of `lib/numbers.ts` that choose a word by a number. */
const COUNTING: ReadonlySet<string> = new Set(['many', 'plural'])

/** `many(n, 'asset')`: the word for 1 and the word for all else, `asset / assets`. */
function pluralOf(node: Node): readonly FoundText[] {
  if (!COUNTING.has(nameOf(nodeAt(node, 'callee')))) return []
  const [, one, more] = nodesAt(node, 'arguments')
  const text = stringOf(one)
  if (!one || text === undefined) return []
  const end = (more ?? one).end
  return [foundText(`${text} / ${stringOf(more) ?? `${text}s`}`, { start: one.start, end, kind: 'plural' })]
}
