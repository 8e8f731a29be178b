import {
  Kind,
  Lexer,
  Source,
  TokenKind,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { DEPTH_MAX, tooComplex } from './schema.ts'
import { refuseUnstorableText } from '../http/json-body.ts'

/** As NetBox allows: many aliases ask one expensive question many times. */
const ALIASES_MAX = 10
/** The most fields, with every fragment written out where it is used. */
const FIELDS_MAX = 500
/** A word, a number, a bracket: checking a document takes time that grows faster than its length. */
export const TOKENS_MAX = 2_000
/** Brackets of any kind inside each other. The parser and the rules recurse, one level of the stack for each. */
const NESTING_MAX = 64

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

/**
 * Refuses a text that is nested too deeply, before it is parsed: selection sets, lists, input objects and types of
 * variables alike. Reads the text once, without recursion, and no further than the parser would.
 */
export function refuseDeepText(query: string): void {
  const lexer = new Lexer(new Source(query))
  let depth = 0
  let tokens = 0
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    if (OPENING.has(kind)) depth += 1
    if (CLOSING.has(kind)) depth -= 1
    if (depth > NESTING_MAX) throw tooComplex(`the query is nested more than ${NESTING_MAX} levels deep`)
    tokens += 1
    if (tokens > TOKENS_MAX) return // the parser refuses it, with the same limit
  }
}

interface Size {
  readonly depth: number
  readonly aliases: number
  readonly fields: number
}

const NOTHING: Size = { depth: 0, aliases: 0, fields: 0 }

/**
 * Refuses a document whose fragments, once expanded, are too deep or too many, before anything expands them. Each
 * fragment is measured once, so the check takes linear time.
 */
export function refuseBomb(document: DocumentNode): void {
  const fragments = new Map(
    document.definitions.flatMap((it) =>
      it.kind === Kind.FRAGMENT_DEFINITION ? [[it.name.value, it] as const] : [],
    ),
  )
  const sizes = new Map<string, Size>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION)
      refuse(sizeOf(definition.selectionSet, { fragments, sizes }))
  }
  visit(document, { StringValue: ({ value }) => refuseUnstorableText('query', value) })
}

function refuse({ depth, aliases, fields }: Size): void {
  if (depth > DEPTH_MAX) throw tooComplex(`the query is deeper than ${DEPTH_MAX} fields`)
  if (aliases > ALIASES_MAX) throw tooComplex(`the query has more than ${ALIASES_MAX} aliases`)
  if (fields > FIELDS_MAX) throw tooComplex(`the query has more than ${FIELDS_MAX} fields`)
}

interface Fragments {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Sizes of the fragments measured so far. One that is being measured counts nothing: a circle is refused later, by name. */
  readonly sizes: Map<string, Size>
}

function sizeOf(set: SelectionSetNode | undefined, known: Fragments): Size {
  return (set?.selections ?? []).map((it) => sizeOfSelection(it, known)).reduce(add, NOTHING)
}

function sizeOfSelection(selection: SelectionNode, known: Fragments): Size {
  if (selection.kind === Kind.INLINE_FRAGMENT) return sizeOf(selection.selectionSet, known)
  if (selection.kind === Kind.FRAGMENT_SPREAD) return sizeOfFragment(selection.name.value, known)
  const inside = sizeOf(selection.selectionSet, known)
  return {
    // introspection is deep by nature and has a limit of its own
    depth: selection.name.value.startsWith('__') ? 0 : inside.depth + 1,
    aliases: inside.aliases + (selection.alias ? 1 : 0),
    fields: inside.fields + 1,
  }
}

function sizeOfFragment(name: string, known: Fragments): Size {
  const measured = known.sizes.get(name)
  if (measured) return measured
  known.sizes.set(name, NOTHING)
  const size = sizeOf(known.fragments.get(name)?.selectionSet, known)
  known.sizes.set(name, size)
  return size
}

const add = (a: Size, b: Size): Size => ({
  depth: Math.max(a.depth, b.depth),
  aliases: a.aliases + b.aliases,
  fields: a.fields + b.fields,
})
