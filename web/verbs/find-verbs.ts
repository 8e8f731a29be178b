import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { below, nameOf, nodeAt, nodesAt, parseSource, type Node } from '../languages/syntax.ts'

const SRC = join(import.meta.dirname, '../src')

/** A place in the app where a mutation is sent. */
export interface VerbUse {
  readonly mutation: string
  readonly file: string
  /** `useChange`: the line at the top shows that it is on its way; `send`: whoever calls it does. */
  readonly by: 'useChange' | 'send'
  /** Of `useChange`: what is given beside the operation, such as `done` and `undo`. */
  readonly given: readonly string[]
  /** What the call stands in, the nearest last: names of functions, properties and variables. */
  readonly within: readonly string[]
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => !file.includes('generated') && !file.includes('.test.'),
)
const read = (file: string): string => readFileSync(join(SRC, file), 'utf8')

/** The names of all mutations that the app knows. */
export const mutations: readonly string[] = sources
  .filter((file) => file.endsWith('.graphql'))
  .flatMap((file) => [...read(file).matchAll(/^mutation (\w+)/gm)].map(([, name = '']) => name))
  .toSorted()

export function findVerbUses(): readonly VerbUse[] {
  return sources
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => usesOf(parseSource(read(file), file), file, []))
}

/** Whether one of the files shows this component. */
export const shows = (files: readonly string[], component: RegExp): boolean =>
  files.some((file) => component.test(read(file)))

function usesOf(node: Node, file: string, within: readonly string[]): VerbUse[] {
  const name = nameOf(nodeAt(node, 'key') ?? nodeAt(node, 'id'))
  const path = name === '' ? within : [...within, name]
  const use = useOf(node, file, path)
  return [...(use ? [use] : []), ...below(node).flatMap((child) => usesOf(child, file, path))]
}

function useOf(node: Node, file: string, within: readonly string[]): VerbUse | undefined {
  const by = node.type === 'CallExpression' ? nameOf(nodeAt(node, 'callee')) : ''
  const [operation, options] = nodesAt(node, 'arguments')
  const mutation = /^(\w+)Document$/.exec(nameOf(operation))?.[1]
  if ((by !== 'useChange' && by !== 'send') || !mutation || !mutations.includes(mutation)) return undefined
  const given = by === 'useChange' && options ? nodesAt(options, 'properties') : []
  return { mutation, file, by, given: given.map((it) => nameOf(nodeAt(it, 'key'))), within }
}
