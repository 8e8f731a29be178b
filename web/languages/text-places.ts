import { nameOf, nodeAt, nodesAt, type Node } from './syntax.ts'
import { CODE_CALLS, CODE_NAMES, looksLikeText, TEXT_CALLS, TEXT_NAMES } from './text-rules.ts'

/**
 * Whether addresses name a list or a column by the text: the label of a table, the title of a column that can be sorted.
 * What has a name of its own keeps that.
 */
export function isNamedInAddresses(above: readonly Node[]): boolean {
  const [around, parent] = [above.at(-2), above.at(-1)]
  if (!around || !parent) return false
  if (parent.type === 'JSXAttribute')
    return (
      nameOf(nodeAt(parent, 'name')) === 'label' &&
      nameOf(nodeAt(around, 'name')) === 'DataTable' &&
      !nodesAt(around, 'attributes').some((it) => nameOf(nodeAt(it, 'name')) === 'name')
    )
  const keys = nodesAt(around, 'properties').map((it) => nameOf(nodeAt(it, 'key')))
  return (
    parent.type === 'Property' &&
    nameOf(nodeAt(parent, 'key')) === 'title' &&
    keys.includes('sortBy') &&
    !keys.includes('name')
  )
}

/** Whether a string that stands here is read by people. `above`: what it stands in, the nearest last. */
export function isTextPlace(text: string, node: Node, above: readonly Node[]): boolean {
  const at = holderOf(node, above)
  const holder = above[at]
  const child = above[at + 1] ?? node
  if (!holder) return false
  switch (holder.type) {
    case 'JSXAttribute':
      return byName(nameOf(nodeAt(holder, 'name')), text)
    case 'JSXExpressionContainer': {
      const parent = above[at - 1]
      return parent?.type === 'JSXAttribute' ? byName(nameOf(nodeAt(parent, 'name')), text) : true
    }
    case 'Property':
      return nodeAt(holder, 'value') === child && byName(nameOf(nodeAt(holder, 'key')), text)
    case 'AssignmentPattern':
      return byName(nameOf(nodeAt(holder, 'left')), text)
    case 'CallExpression':
    case 'NewExpression':
      return nodeAt(holder, 'callee') !== child && byCall(holder, text)
    case 'TemplateLiteral':
      return isTextPlace(text, holder, above.slice(0, at)) || looksLikeText(text)
    case 'BinaryExpression':
      return holder['operator'] === '+' && looksLikeText(text)
    default:
      return !NEVER.has(holder.type) && looksLikeText(text)
  }
}

/** The index of the nearest node that says what the string is for; a condition or an `as` says nothing. */
function holderOf(node: Node, above: readonly Node[]): number {
  let child = node
  for (let at = above.length - 1; at >= 0; at--) {
    const parent = above[at]
    if (!parent || !passes(parent, child)) return at
    child = parent
  }
  return -1
}

function passes(parent: Node, child: Node): boolean {
  switch (parent.type) {
    case 'ConditionalExpression':
      return nodeAt(parent, 'test') !== child
    case 'LogicalExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return true
    default:
      return false
  }
}

/** What is compared, looked up or exported is no text. */
const NEVER: ReadonlySet<string> = new Set([
  'BinaryExpression',
  'ConditionalExpression',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ExpressionStatement',
  'ImportExpression',
  'MemberExpression',
  'SwitchCase',
  'TaggedTemplateExpression',
])

function byName(name: string, text: string): boolean {
  if (CODE_NAMES.has(name) || name.startsWith('data-')) return false
  return TEXT_NAMES.has(name) || looksLikeText(text)
}

function byCall(call: Node, text: string): boolean {
  const callee = nameOf(nodeAt(call, 'callee'))
  if (CODE_CALLS.has(callee)) return false
  return TEXT_CALLS.has(callee) ? nodesAt(call, 'arguments').length > 0 : looksLikeText(text)
}
