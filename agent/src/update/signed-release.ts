import { createPublicKey, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, textIn } from '../json.ts'

export interface Manifest {
  readonly version: string
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly files: Readonly<Record<string, { readonly sha256: string; readonly size: number }>>
}

const RELEASE = 'rollcall-agent-release-1\n'
const RELEASE_KEY = 'rollcall-release-key-1\n'
/** Before the 32 bytes of an Ed25519 public key in SPKI (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/
const BYTES_MAX = 150 * 1_048_576

/** Public keys, in base64, of those who may sign keys for releases of this agent. None: it is never updated by itself. */
export function ownRoots(): readonly string[] {
  const path = join(import.meta.dirname, '../../release-roots.json')
  if (!existsSync(path)) return []
  const roots: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return Array.isArray(roots) ? (roots as unknown[]).filter((it) => typeof it === 'string') : []
}

/**
 * The manifest of a release: signed by a key that one of `roots` has signed, and whose time has not ended at `now`, in
 * milliseconds since 1970. Throws with the reason otherwise.
 */
export function verifiedManifest(release: unknown, roots: readonly string[], now: number): Manifest {
  if (!isObject(release) || !isObject(release['key'])) throw new Error('the update has another form')
  const { public_key, not_after, signature } = release['key']
  const [key, end] = [textIn(public_key), textIn(not_after)]
  const certificate = Buffer.from(`${RELEASE_KEY}${key}\n${end}`)
  if (!roots.some((root) => isSigned(root, certificate, signature)))
    throw new Error('the key of the update is signed by none of the roots that this agent knows')
  if (!(now < Date.parse(end))) throw new Error(`the key of the update has ended at ${end}`)
  const bytes = Buffer.from(textIn(release['manifest']), 'base64')
  if (!isSigned(key, Buffer.concat([Buffer.from(RELEASE), bytes]), release['signature']))
    throw new Error('the signature of the update is wrong')
  return manifestIn(JSON.parse(bytes.toString('utf8')))
}

function isSigned(publicKey: string, message: Buffer, signature: unknown): boolean {
  try {
    const der = Buffer.concat([SPKI_PREFIX, Buffer.from(publicKey, 'base64')])
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return verify(null, message, key, Buffer.from(textIn(signature), 'base64'))
  } catch {
    return false
  }
}

function manifestIn(value: unknown): Manifest {
  const fields = isObject(value) ? value : {}
  const [version, notBefore] = [textIn(fields['version']), Date.parse(textIn(fields['not_before']))]
  const files = Object.entries(isObject(fields['files']) ? fields['files'] : {}).map(
    ([platform, it]): [string, Manifest['files'][string]] => {
      const file = isObject(it) ? it : {}
      const [sha256, size] = [textIn(file['sha256']), Number(file['size'])]
      if (!/^[0-9a-f]{64}$/.test(sha256) || !(size > 0 && size <= BYTES_MAX))
        throw new Error(`the update names no usable archive for ${platform}`)
      return [platform, { sha256, size }]
    },
  )
  if (!VERSION.test(version) || Number.isNaN(notBefore))
    throw new Error('the manifest of the update has another form')
  return { version, notBefore, files: Object.fromEntries(files) }
}
