import { parseAst } from 'vite'

/** A node of the syntax tree, as far as the search for texts looks at it. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export const parseSource = (code: string, path: string): Node =>
  parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path) as unknown as Node

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

export function nodeAt(node: Node, key: string): Node | undefined {
  const value = node[key]
  return isNode(value) ? value : undefined
}

export function nodesAt(node: Node, key: string): readonly Node[] {
  const value = node[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** Everything below a node, in the order of the source. */
export const below = (node: Node): readonly Node[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))
    .toSorted((a, b) => a.start - b.start)

/** The name that an identifier, a property or an attribute has. */
export function nameOf(node: Node | undefined): string {
  if (!node) return ''
  const { name, value } = node
  if (typeof name === 'string') return name
  if (node.type === 'MemberExpression') return nameOf(nodeAt(node, 'property'))
  if (node.type === 'JSXMemberExpression') return nameOf(nodeAt(node, 'property'))
  return typeof value === 'string' ? value : ''
}

export const stringOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined

/** The texts of a template between its expressions. */
export const quasisOf = (node: Node): readonly string[] =>
  nodesAt(node, 'quasis').map((it) => (it['value'] as { readonly cooked: string }).cooked)
