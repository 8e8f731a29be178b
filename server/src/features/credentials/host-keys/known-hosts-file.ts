import { createHash, createHmac } from 'node:crypto'

/** One line of a known_hosts file (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT). */
export interface KnownHost {
  /** As in the file: patterns parted by commas, or one hashed name (`|1|salt|hash`). */
  readonly hosts: string
  readonly algorithm: string
  /** `SHA256:` and base64 without padding, as ssh-keygen(1) prints it. */
  readonly fingerprint: string
  /** Marked `@revoked`: a server that presents this key is not the host. */
  readonly isRevoked: boolean
}

/** A line that the tenant has imported. */
export interface StoredKnownHost extends KnownHost {
  readonly id: string
  readonly createdAt: string
}

export interface ReadKnownHosts {
  readonly entries: readonly KnownHost[]
  /** Lines that were left out, counted from 1. */
  readonly rejected: readonly { readonly line: number; readonly reason: string }[]
}

/** Longer lines hold no key that any server has. */
const LINE_LENGTH_MAX = 16_384
const REJECTED_TOLD_MAX = 100

/** Parses a known_hosts file. Blank lines and comments are skipped; `rejected` names each invalid line and why. */
export function readKnownHosts(text: string): ReadKnownHosts {
  const entries: KnownHost[] = []
  const rejected: { line: number; reason: string }[] = []
  for (const [at, line] of text.split('\n').entries()) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const entry = entryOf(trimmed)
    if (typeof entry !== 'string') entries.push(entry)
    else if (rejected.length < REJECTED_TOLD_MAX) rejected.push({ line: at + 1, reason: entry })
  }
  return { entries, rejected }
}

/** The entry, or why there is none. */
function entryOf(line: string): KnownHost | string {
  if (line.length > LINE_LENGTH_MAX) return `is longer than ${LINE_LENGTH_MAX} characters`
  const words = line.split(/[ \t]+/)
  const marker = words[0]?.startsWith('@') ? words.shift() : undefined
  if (marker === '@cert-authority') return 'certificate authorities are not supported'
  if (marker !== undefined && marker !== '@revoked') return 'has an unknown marker'
  const [hosts = '', algorithm = '', key = ''] = words
  if (!/^[\x21-\x7e]+$/.test(hosts)) return 'has no host'
  if (hosts.startsWith('|') && !HASHED.test(hosts)) return 'has a hashed name in an unknown form'
  const fingerprint = publicKeyFingerprint(algorithm, key)
  if (fingerprint === undefined) return 'has no public key, such as ssh-ed25519 AAAA…'
  return { hosts, algorithm, fingerprint, isRevoked: marker !== undefined }
}

const ALGORITHM = /^[A-Za-z0-9@.-]{1,64}$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Undefined unless the key is one of this algorithm: its name stands in front of it (RFC 4253, 6.6). */
export function publicKeyFingerprint(algorithm: string, base64: string): string | undefined {
  if (!ALGORITHM.test(algorithm) || !BASE64.test(base64)) return undefined
  const key = Buffer.from(base64, 'base64')
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0
  if (key.length <= 4 + length || key.toString('latin1', 4, 4 + length) !== algorithm) return undefined
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

const USUAL_PORT = 22
/** The hash is HMAC-SHA1 of the name, keyed with the salt (OpenSSH, hostfile.c). */
const HASHED = /^\|1\|([A-Za-z0-9+/]{27}=)\|([A-Za-z0-9+/]{27}=)$/

/** Whether the `hosts` of a line mean a service: any of the names of its host, at this port. */
export function meansHost(hosts: string, names: readonly string[], port: number): boolean {
  const wanted = names.map((name) =>
    port === USUAL_PORT ? name.toLowerCase() : `[${name.toLowerCase()}]:${port}`,
  )
  const [, salt, hash] = HASHED.exec(hosts) ?? []
  if (salt !== undefined) return wanted.some((name) => hashOf(name, salt) === hash)
  const patterns = hosts.toLowerCase().split(',')
  const isAny = (those: readonly string[]) =>
    those.some((pattern) => wanted.some((name) => matches(pattern, name)))
  const negated = patterns.filter((it) => it.startsWith('!')).map((it) => it.slice(1))
  return !isAny(negated) && isAny(patterns.filter((it) => !it.startsWith('!')))
}

const hashOf = (name: string, salt: string): string =>
  createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64')

/** `*` is any text, `?` any character. In time of pattern times text at most: no expression backtracks here. */
function matches(pattern: string, text: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0]
  while (from < text.length) {
    if (pattern[at] === '*') [star, mark, at] = [at, from, at + 1]
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[from]))
      [at, from] = [at + 1, from + 1]
    else if (star >= 0) [at, mark, from] = [star + 1, mark + 1, mark + 1]
    else return false
  }
  return /^\**$/.test(pattern.slice(at))
}
