import { foundText, type FoundText, type Place } from './found-text.ts'
import { placeholderNames } from './placeholders.ts'
import { nameOf, nodeAt, nodesAt, stringOf, type Node } from './syntax.ts'
import { hasWords } from './text-rules.ts'

/** Elements that end a sentence. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'div p ul ol li dl dt dd section header footer nav aside main table thead tbody tr td th h1 h2 h3 h4 form pre label select option ' +
    'Panel Page Menu Table DataTable Empty Modal FormDialog ConfirmDialog Button'
  ).split(' '),
)

/** What stands between tags: a string, an expression, or an element with what is in it. */
type Part =
  | { readonly kind: 'text'; readonly text: string; readonly node: Node }
  | { readonly kind: 'expression'; readonly node: Node; readonly expression: Node }
  | { readonly kind: 'element'; readonly node: Node; readonly inside: readonly Part[] }

/** The sentences between the tags of an element. Those of an element that stands in a sentence belong to that. */
export function childrenTexts(node: Node, above: readonly Node[], code: string): readonly FoundText[] {
  if (isInSentence(node, above, code)) return []
  return sentencesOf(partsOf(node, code)).map((parts) => textOf(parts))
}

/** Whether the sentence around an element has taken its text already. */
function isInSentence(node: Node, above: readonly Node[], code: string): boolean {
  const parent = above.at(-1)
  if (parent?.type !== 'JSXElement' && parent?.type !== 'JSXFragment') return false
  const has = (parts: readonly Part[]): boolean =>
    parts.some((it) => it.kind === 'element' && it.inside.length > 0 && (it.node === node || has(it.inside)))
  return has(sentencesOf(partsOf(parent, code)).flat()) || isInSentence(parent, above.slice(0, -1), code)
}

function partsOf(element: Node, code: string): readonly Part[] {
  return nodesAt(element, 'children').flatMap((node): Part[] => {
    if (node.type === 'JSXText') return textPart(node, cleaned(code.slice(node.start, node.end)))
    if (node.type === 'JSXElement') return [elementPart(node, code)]
    if (node.type !== 'JSXExpressionContainer') return [{ kind: 'element', node, inside: [] }]
    const expression = nodeAt(node, 'expression')
    if (!expression || expression.type === 'JSXEmptyExpression') return []
    const text = stringOf(expression)
    return text === undefined ? [{ kind: 'expression', node, expression }] : textPart(node, text)
  })
}

const textPart = (node: Node, text: string): Part[] => (text === '' ? [] : [{ kind: 'text', node, text }])

function elementPart(node: Node, code: string): Part {
  const inside = isBlock(node) ? [] : partsOf(node, code)
  const isText = inside.some(isWords) && inside.every((it) => it.kind !== 'element' || !isBlock(it.node))
  return { kind: 'element', node, inside: isText ? inside : [] }
}

const isWords = (part: Part): boolean => part.kind === 'text' && hasWords(part.text)

const isBlock = (node: Node): boolean =>
  BLOCKS.has(nameOf(nodeAt(nodeAt(node, 'openingElement') ?? node, 'name')))

/** Runs without a block, which have words, from the first to the last part that says something. */
function sentencesOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const runs: Part[][] = [[]]
  for (const part of parts)
    if (part.kind === 'element' && isBlock(part.node)) runs.push([])
    else runs.at(-1)?.push(part)
  return runs
    .filter((run) => run.some(isWords))
    .map((run) => run.slice(run.findIndex(says), run.findLastIndex(says) + 1))
}

/** An icon or a list at the end of a sentence is no part of it. */
function says(part: Part): boolean {
  if (part.kind === 'text') return part.text.trim() !== ''
  if (part.kind === 'element') return part.inside.length > 0
  return part.expression.type !== 'LogicalExpression'
}

function textOf(parts: readonly Part[]): FoundText {
  const places = new Map<string, Place>()
  const names = placeholderNames(expressionsIn(parts))
  const elements: number[] = []
  const write = (part: Part): string => {
    if (part.kind === 'text') return part.text
    if (part.kind === 'expression') {
      const key = `{${names[expressionsIn(parts).indexOf(part.expression)]}}`
      places.set(key, part.node)
      return key
    }
    const n = elements.push(part.node.start) - 1
    const { start, end } = part.node
    if (part.inside.length === 0) {
      places.set(`<${n}/>`, { start, end })
      return `<${n}/>`
    }
    places.set(`<${n}>`, { start, end: nodeAt(part.node, 'openingElement')?.end ?? start })
    places.set(`</${n}>`, { start: nodeAt(part.node, 'closingElement')?.start ?? end, end })
    return `<${n}>${part.inside.map(write).join('')}</${n}>`
  }
  const [first, last] = [parts[0]?.node, parts.at(-1)?.node]
  const text = parts.map(write).join('')
  return foundText(text, { start: first?.start ?? 0, end: last?.end ?? 0, kind: 'children' }, places)
}

const expressionsIn = (parts: readonly Part[]): readonly Node[] =>
  parts.flatMap((part) =>
    part.kind === 'expression'
      ? [part.expression]
      : part.kind === 'element'
        ? expressionsIn(part.inside)
        : [],
  )

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
}

/** Text between tags as React shows it: line breaks and the spaces around them are one space, or nothing at the ends. */
function cleaned(raw: string): string {
  const lines = raw.split('\n')
  return lines
    .map((line, at) => {
      const left = at === 0 ? line : line.trimStart()
      return at === lines.length - 1 ? left : left.trimEnd()
    })
    .filter((line) => line !== '')
    .join(' ')
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
