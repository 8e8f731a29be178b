import { Type } from 'typebox'
import { LENGTH_MAX } from './parse.ts'

/** The query parameter `where` of a list; empty is none. `example` is a condition on `what`. */
export const whereQuery = (what: string, example: string) =>
  Type.Optional(
    Type.String({
      description:
        `An extension: a condition on each ${what}, such as \`${example}\`. It narrows what the other parameters find. ` +
        'The language and its fields are described in docs/conditions.md. Empty: none.',
      documentedAs: { format: 'condition', maxLength: LENGTH_MAX },
    }),
  )
