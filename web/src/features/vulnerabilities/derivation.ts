/** How a finding was derived, line by line, in the order in which a person would check it. */
export interface Line {
  readonly name: string
  readonly text: string
}

const NAMES: readonly (readonly [string, string])[] = [
  ['installedVersion', 'Installed'],
  ['rule', 'Rule'],
  ['fixedVersion', 'Fixed in'],
  ['fixedBy', 'Fixed by'],
  ['ecosystem', 'Ecosystem'],
  ['package', 'Package'],
  ['algorithm', 'Compared as'],
  ['by', 'Matched by'],
  ['notes', 'Notes'],
]

/** The server says what it has; nothing is shown of what is empty. */
export function linesOf(derivation: unknown): readonly Line[] {
  if (typeof derivation !== 'object' || derivation === null) return []
  const said = derivation as Readonly<Record<string, unknown>>
  return NAMES.flatMap(([key, name]) => {
    const text = textOf(said[key])
    return text === '' ? [] : [{ name, text }]
  })
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
