import { firstAtLeast } from '#platform/first-at-least.ts'
import { once } from '#platform/once.ts'
import { registrants } from './oui.ts'

/** The registrant of MAC addresses that has this very name, but for the legal form; undefined: nobody has. */
export function registrantNamed(name: string): string | undefined {
  const words = withoutLegalForm(name)
  if (words === '') return undefined
  const hash = hashOf(words)
  const { entries, names } = table()
  for (
    let at = firstAtLeast(entries, hash * LINES_MAX);
    Math.floor(entries[at]! / LINES_MAX) === hash;
    at++
  ) {
    const found = names(entries[at]! % LINES_MAX)
    if (withoutLegalForm(found) === words) return found
  }
  return undefined
}

/** What tells two companies of nearly one name apart stays: `Sunstar Systems` is not `Sunstar Technology`. */
export const withoutLegalForm = (name: string): string =>
  (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !legalForms.has(word)).join(' ')

const legalForms = new Set(
  (
    'a ab ag and as asa bv co company corp corporation d gmbh group holding inc incorporated kg kk limited llc ltd nv ' +
    'o oo oy oyj plc pt pte pty pvt s sa sarl sas se sl sp spa spol srl the z zoo'
  ).split(' '),
)

/** A hash of 32 bits and the number of a line fit a double together. */
const LINES_MAX = 2 ** 17

/** No names are kept: their hashes in order, each with the number of its line. */
const table = once(() => {
  const { count, nameAt } = registrants()
  const hashes = Float64Array.from(
    { length: count },
    (_, line) => hashOf(withoutLegalForm(nameAt(line))) * LINES_MAX + line,
  )
  return { entries: hashes.sort(), names: nameAt }
})

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}
