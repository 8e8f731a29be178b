import type { Observation } from '#features/assets/observation.ts'
import { hasControlCharacter, withoutControlCharacters } from '#platform/validation/control-characters.ts'

/**
 * What a device says of itself, in the form that the intake takes: control characters in its texts become spaces,
 * halves of surrogate pairs, which PostgreSQL does not store, become U+FFFD, and host names that hold one are left out. A device must not be able to stay out of the inventory by its name.
 */
export function withoutControls(seen: Observation): Observation {
  const texts = (['name', 'os', 'vendor', 'model'] as const).flatMap((field) => {
    const value = seen[field]
    return value === undefined ? [] : [[field, withoutControlCharacters(value).toWellFormed()] as const]
  })
  return {
    ...seen,
    ...Object.fromEntries(texts),
    identifiers: seen.identifiers.filter(
      ({ type, value }) => (type !== 'hostname' && type !== 'ptr_name') || !hasControlCharacter(value),
    ),
    ...(seen.tags && { tags: seen.tags.filter((tag) => !hasControlCharacter(tag)) }),
  }
}
