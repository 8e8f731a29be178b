/** The value made to fit: of lists the first items, and at last only the names of what is too large. */
export function truncateResult(
  value: unknown,
  lengthMax: number,
): { readonly value: unknown; readonly isCut: boolean } {
  const text = JSON.stringify(value) ?? 'null'
  const plain: unknown = JSON.parse(text.replaceAll('\\u0000', ''))
  if (text.length <= lengthMax) return { value: plain, isCut: false }
  for (const itemsMax of [500, 100, 20, 5]) {
    const shorter = cut(plain, itemsMax)
    if (JSON.stringify(shorter).length <= lengthMax) return { value: shorter, isCut: true }
  }
  const names = typeof plain === 'object' && plain !== null ? Object.keys(plain).slice(0, 100) : []
  return {
    value: Object.fromEntries(names.map((name) => [name.slice(0, 100).toWellFormed(), '…'])),
    isCut: true,
  }
}

const TEXT_LENGTH_MAX = 2_000

function cut(value: unknown, itemsMax: number): unknown {
  if (typeof value === 'string') return value.slice(0, TEXT_LENGTH_MAX).toWellFormed()
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((it: unknown) => cut(it, itemsMax))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 200)
      .map(([name, it]: [string, unknown]) => [name, cut(it, itemsMax)]),
  )
}
