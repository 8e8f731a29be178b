import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { sha256 } from '#platform/secrets/random-keys.ts'

const FILE = 'collector.json'
const OWNER_ONLY = 0o600
const PUBLIC_KEY_BYTES = 32

/** What a collector is known by, kept in `collector.json` of its data folder. */
export interface CollectorIdentity {
  /** Ed25519: signs its requests. */
  readonly signingKey: KeyObject
  /** Raw, 32 bytes. */
  readonly publicKey: Buffer
  /** SHA-256 of `publicKey` in hexadecimal digits. */
  readonly keyId: string
  /** X25519, private: opens what only this collector may read. */
  readonly exchangeKey: JWK
  /** Undefined until it has enrolled. */
  readonly collectorId?: string
}

interface Stored {
  readonly signing_key: JWK
  readonly exchange_key: JWK
  readonly collector_id?: string
}

/** Made at the first start; written before it is used, so that a start after a crash is the same collector. */
export async function collectorIdentity(folder: string): Promise<CollectorIdentity> {
  const text = await readFile(join(folder, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined) return identityFrom(JSON.parse(text) as Stored)
  const made = await newKeys()
  await write(folder, made)
  return identityFrom(made)
}

/** The next start makes another. */
export const forgetIdentity = (folder: string): Promise<void> => rm(join(folder, FILE), { force: true })

export async function noteEnrolled(folder: string, collectorId: string): Promise<void> {
  const stored = JSON.parse(await readFile(join(folder, FILE), 'utf8')) as Stored
  await write(folder, { ...stored, collector_id: collectorId })
}

async function newKeys(): Promise<Stored> {
  const signing = generateKeyPairSync('ed25519').privateKey
  const exchange = await generateKeyPair('ECDH-ES', { crv: 'X25519', extractable: true })
  return {
    signing_key: signing.export({ format: 'jwk' }) as JWK,
    exchange_key: await exportJWK(exchange.privateKey),
  }
}

function identityFrom(stored: Stored): CollectorIdentity {
  const signingKey = createPrivateKey({ key: stored.signing_key, format: 'jwk' })
  const spki = createPublicKey(signingKey).export({ format: 'der', type: 'spki' })
  const publicKey = spki.subarray(-PUBLIC_KEY_BYTES)
  return {
    signingKey,
    publicKey,
    keyId: sha256(publicKey).toString('hex'),
    exchangeKey: stored.exchange_key,
    ...(stored.collector_id !== undefined && { collectorId: stored.collector_id }),
  }
}

async function write(folder: string, stored: Stored): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, FILE)
  await writeFile(`${file}.new`, JSON.stringify(stored), { mode: OWNER_ONLY, flush: true })
  await chmod(`${file}.new`, OWNER_ONLY)
  await rename(`${file}.new`, file)
}
