import { Type } from 'typebox'

/** The query parameter `where` of a list; empty is none. `example` is a condition on `what`. */
export const whereQuery = (what: string, example: string) =>
  Type.Optional(
    Type.String({
      description:
        `An extension: a condition on each ${what}, such as \`${example}\`. It narrows what the other parameters find. ` +
        'The language and its fields are described in docs/conditions.md. Empty: none.',
    }),
  )
