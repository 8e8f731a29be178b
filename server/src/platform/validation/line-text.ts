import { Type } from 'typebox'

/** One line with something in it, as `checkedName` takes it; what is wrong is refused by the verb, which says why. */
const LINE =
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$'

export const lineText = (maxLength: number) => Type.String({ documentedAs: { pattern: LINE, maxLength } })

/** The same, or nothing. */
export const lineOrEmpty = (maxLength: number) =>
  Type.String({ documentedAs: { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$', maxLength } })
