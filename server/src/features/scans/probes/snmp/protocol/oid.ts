/** An object identifier, arc by arc. */
export type Oid = readonly number[]

export const oid = (text: string): Oid => text.split('.').map(Number)

export const oidText = (arcs: Oid): string => arcs.join('.')

/** Lexicographic, as agents order what they have: negative when `a` comes first. */
export function compareOids(a: Oid, b: Oid): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Whether `longer` lies below `root`, or is it. */
export function isBelow(root: Oid, longer: Oid): boolean {
  return longer.length >= root.length && root.every((arc, i) => arc === longer[i])
}
