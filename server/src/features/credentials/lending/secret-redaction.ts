/** Removes known secrets from text and errors before they are stored, logged or returned. */
export interface Redactor {
  /** From now on this one is known too. */
  readonly learn: (secret: string) => void
  /** For messages and logs: wherever it stands, in the usual encodings too. */
  readonly text: (text: string) => string
  /** The same with its words replaced; what it was made of stays for the stack. */
  readonly error: (error: unknown) => unknown
  /**
   * For what was seen: a short secret only where it stands as a word of its own, for an inventory in which every
   * `debian` is blackened would be none.
   */
  readonly value: <T>(value: T) => T
}

export const REDACTED = '[redacted]'
/** Shorter ones are found only as words of their own, or a message would be nothing but holes. */
const ANYWHERE_MESSAGE = 4
const ANYWHERE_VALUE = 12
/** The names that every manual prints are no secrets, and stand in many names. */
const PUBLISHED: ReadonlySet<string> = new Set(['public', 'private'])

export function openRedactor(): Redactor {
  const known = new Set<string>()
  let message: RegExp | undefined
  let value: RegExp | undefined
  const learn = (secret: string): void => {
    if (secret === '' || known.has(secret)) return
    known.add(secret)
    const forms = [...known].flatMap(formsOf)
    message = patternOf(forms, ANYWHERE_MESSAGE)
    const unpublished = [...known].filter((it) => !PUBLISHED.has(it))
    value = patternOf(unpublished.flatMap(formsOf), ANYWHERE_VALUE)
  }
  const text = (given: string): string => (message ? given.replace(message, REDACTED) : given)
  return {
    learn,
    text,
    error: (error) => (error instanceof Error ? redactedError(error, text) : text(String(error))),
    value: (given) => (value ? mapped(given, value) : given),
  }
}

/** As programs print and wrap it. A key of several lines is also known by each of its lines. */
function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= 32 && !line.startsWith('-----'))
  return [secret, ...lines].flatMap((plain) => {
    const bytes = Buffer.from(plain)
    const base64 = bytes.toString('base64').replace(/=+$/, '')
    return [
      plain,
      base64,
      bytes.toString('base64url'),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      encodeURIComponent(plain),
      new URLSearchParams({ x: plain }).toString().slice(2),
      JSON.stringify(plain).slice(1, -1),
      // as Windows has it on the wire
      Buffer.from(plain, 'utf16le').toString('base64').replace(/=+$/, ''),
      Buffer.from(plain, 'utf16le').toString('hex'),
      plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ]
  })
}

/** The longest first, so that none is left half. */
function patternOf(forms: readonly string[], anywhere: number): RegExp | undefined {
  const all = [...new Set(forms)].filter((it) => it !== '').toSorted((a, b) => b.length - a.length)
  if (all.length === 0) return undefined
  return new RegExp(
    all
      .map((form) => (form.length >= anywhere ? literal(form) : `(?<![\\w.-])${literal(form)}(?![\\w.-])`))
      .join('|'),
    'g',
  )
}

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)

function redactedError(error: Error, text: (given: string) => string): Error {
  const copy = Object.create(Object.getPrototypeOf(error) as object) as Error
  for (const name of Object.getOwnPropertyNames(error)) {
    const own = (error as unknown as Readonly<Record<string, unknown>>)[name]
    const value = typeof own === 'string' ? text(own) : own instanceof Error ? redactedError(own, text) : own
    Object.defineProperty(copy, name, {
      value,
      enumerable: name !== 'stack',
      writable: true,
      configurable: true,
    })
  }
  return copy
}

function mapped<T>(given: T, pattern: RegExp): T {
  if (typeof given === 'string') return given.replace(pattern, REDACTED) as T
  if (Array.isArray(given)) return given.map((item: unknown) => mapped(item, pattern)) as T
  if (typeof given !== 'object' || given === null || given instanceof Date) return given
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key.replace(pattern, REDACTED),
      mapped(value as unknown, pattern),
    ]),
  ) as T
}
