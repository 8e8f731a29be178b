import { nameOf, nodeAt, nodesAt, type Node } from './syntax.ts'

/** What expressions are called in a text: by what they show, else by their place. No name comes twice. */
export function placeholderNames(expressions: readonly Node[]): readonly string[] {
  const taken = new Set<string>()
  return expressions.map((expression, at) => {
    const name = shownBy(expression) || String(at)
    let free = name
    for (let n = 2; taken.has(free); n++) free = `${name}${n}`
    taken.add(free)
    return free
  })
}

/** `total` of `count(total)` and of `run.total`. */
function shownBy(node: Node | undefined): string {
  if (!node) return ''
  switch (node.type) {
    case 'Identifier':
    case 'MemberExpression':
      return nameOf(node).replace(/\W/g, '')
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'ChainExpression':
    case 'ParenthesizedExpression':
      return shownBy(nodeAt(node, 'expression'))
    case 'CallExpression':
      return shownBy(nodesAt(node, 'arguments')[0]) || nameOf(nodeAt(node, 'callee')).replace(/\W/g, '')
    default:
      return ''
  }
}
