import { compareTerm } from '#features/conditions/condition-terms.ts'

/** Display name of a source: the server gives kind and name; the kind is used where there is no name. */
export const sourceName = (source: string): string => source.replace(/^\S+ (?=\S)/, '')

interface Source {
  readonly kind: string
  readonly name: string
}

/** A condition for the assets that the source reports. */
export const sourceTerm = ({ kind, name }: Source): string =>
  name === '' ? compareTerm('source_kind', [kind]) : compareTerm('source', [name])
