/**
 * Checks what Rollcall proves: evidence, extracts of the audit log, approved statements of applicability, snapshots of
 * reports. It needs this file and Node.js 24 alone: node verify-proof.ts FILE [--key KEY.json] [--file REPORT]
 * KEY.json is what the installation published at /.well-known/rollcall.json, best fetched by you, and early. Without it
 * the key in the file is used, and its fingerprint is printed for you to compare. A proof holds
 *   document    what is proved, as JSON (an extract of the log has none);
 *   links       entries of the audit log with consecutive numbers. `text` is the entry as it was hashed: a JSON array of
 *               id, tenant, microseconds since 1970, kind, id, name and address of who did it, action, type and id of the
 *               subject, details. `hash` is the SHA-256 of the hash before it, as bytes, and the text in UTF-8;
 *   before      the hash before the first of these links, empty for the first of all;
 *   checkpoint  the last link, signed with Ed25519: the canonical JSON of tenant, seq, hash and signed_at.
 * It holds when every hash is as computed, the signature is that of the key, and the entry that says that the document
 * was made (`madeBy`) has as `sha256` the SHA-256 of the document's canonical JSON (RFC 8785). A digest in any other
 * entry proves nothing: people write texts into those. A report's document has the SHA-256 of its file.
 */
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

export const PROOF_FORMAT = 'rollcall-proof/1'

export interface Link {
  readonly seq: number
  readonly text: string
  readonly hash: string
}

export interface Checkpoint {
  readonly tenant: string
  readonly seq: number
  readonly hash: string
  readonly signed_at: string
  /** Base64, as is the public key (SubjectPublicKeyInfo, DER). */
  readonly signature: string
  readonly public_key: string
}

export interface Proof {
  readonly format: typeof PROOF_FORMAT
  readonly kind: 'evidence' | 'audit' | 'statement' | 'report'
  readonly document?: unknown
  readonly before: string
  readonly links: readonly Link[]
  readonly checkpoint: Checkpoint
}

/** Sentences about what was found to be right, and what is wrong; without faults the proof holds. */
export interface Verdict {
  readonly facts: readonly string[]
  readonly faults: readonly string[]
}

/** The text of the published file of keys, and the file of a report. */
export interface Given {
  readonly keys?: string
  readonly file?: Uint8Array
}

const kinds: readonly string[] = ['evidence', 'audit', 'statement', 'report']

/** Action and type of the subject of the entry that the product alone writes when such a document is made. */
const madeBy: Readonly<Record<string, string>> = {
  evidence: 'compliance_evidence.recorded compliance_evidence',
  statement: 'compliance_statement.approved compliance_statement',
  report: 'report.generated report',
}

/** Never throws for what a file may hold. */
export function verifyProof(text: string, given: Given = {}): Verdict {
  let proof: Proof
  try {
    proof = JSON.parse(text) as Proof
  } catch {
    return { facts: [], faults: ['the file is not JSON'] }
  }
  if (proof?.format !== PROOF_FORMAT || !kinds.includes(proof.kind))
    return { facts: [], faults: [`the file is not a ${PROOF_FORMAT}`] }
  try {
    const [seqs, facts, faults] = [proof.links.map(({ seq }) => seq), [] as string[], [] as string[]]
    facts.push(
      `${proof.kind}: entries ${seqs[0]} to ${seqs.at(-1)} of the log of tenant ${proof.checkpoint.tenant}`,
    )
    checkLinks(proof, faults)
    checkSignature(proof, given, { facts, faults })
    if (proof.kind !== 'audit') checkDocument(proof, given, { facts, faults })
    return { facts, faults }
  } catch {
    return { facts: [], faults: ['the file lacks parts of a proof, or they are not as they must be'] }
  }
}

function checkLinks({ links, before, checkpoint }: Proof, faults: string[]): void {
  if (links.length === 0) faults.push('there is no entry in it')
  let [previous, expected] = [before, links[0]?.seq ?? 0]
  for (const { seq, text, hash } of links) {
    if (seq !== expected) faults.push(`entry ${expected}: is missing before entry ${seq}`)
    if (sha256(Buffer.concat([Buffer.from(previous, 'hex'), Buffer.from(text)])) !== hash)
      faults.push(`entry ${seq}: is not as it was written`)
    else if ((JSON.parse(text) as unknown[])[1] !== checkpoint.tenant)
      faults.push(`entry ${seq}: is of another tenant`)
    previous = hash
    expected = seq + 1
  }
  const last = links.at(-1)
  if (last && (last.seq !== checkpoint.seq || last.hash !== checkpoint.hash))
    faults.push(`entry ${last.seq}: is not the one that the checkpoint signs`)
}

type Notes = Record<'facts' | 'faults', string[]>
type Named = string & Partial<Record<'sha256', unknown>>

/** SHA-256 of the public key, as it is published. */
export const fingerprintOf = (publicKey: Uint8Array): string => sha256(publicKey)

function checkSignature({ checkpoint }: Proof, { keys }: Given, { facts, faults }: Notes): void {
  const der = fromBase64(checkpoint.public_key)
  const fingerprint = fingerprintOf(der)
  const published = keys === undefined ? undefined : publishedKeys(keys)
  if (published && !published.includes(fingerprint))
    faults.push(`the key ${fingerprint} is none of those that were published`)
  const key = publicKeyOf(der)
  const known = published ? ', which was published' : ' (compare it with /.well-known/rollcall.json)'
  if (!verify(null, signedBytes(checkpoint), key, fromBase64(checkpoint.signature)))
    faults.push(`checkpoint ${checkpoint.seq}: its signature is not that of its key`)
  else facts.push(`signed at ${checkpoint.signed_at} by the key ${fingerprint}${known}`)
}

/** Throws for a text that is not exactly that of its bytes. */
function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') === text) return bytes
  throw new Error('not base64')
}

/** The bytes that are signed. */
export const signedBytes = ({ tenant, seq, hash, signed_at }: Omit<Checkpoint, 'signature' | 'public_key'>) =>
  Buffer.from(canonicalJson({ tenant, seq, hash, signed_at }))

/** Throws for what is no key, or has bytes after its end. */
function publicKeyOf(der: Buffer): KeyObject {
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  if (key.export({ format: 'der', type: 'spki' }).equals(der)) return key
  throw new Error('not a key')
}

const publishedKeys = (text: string): string[] =>
  (JSON.parse(text) as { keys: { public_key: string }[] }).keys.map(({ public_key: key }) =>
    fingerprintOf(Buffer.from(key, 'base64')),
  )

function checkDocument(proof: Proof, { file }: Given, { facts, faults }: Notes): void {
  const document = proof.document as Readonly<Record<string, string>>
  const digest = sha256(canonicalJson(document))
  const entry = proof.links
    .map(({ text }) => JSON.parse(text) as string[])
    .find((it) => `${it[7]} ${it[8]}` === madeBy[proof.kind] && (it[10] as Named).sha256 === digest)
  const when = new Date(Number(entry?.[2] ?? 0) / 1_000).toISOString()
  if (document['tenant'] !== proof.checkpoint.tenant) faults.push('the document is of another tenant')
  if (!entry) faults.push(`no entry “${madeBy[proof.kind]}” names the digest of the document, ${digest}`)
  else {
    facts.push(`the log names the digest ${digest}`)
    facts.push(`${entry[7]} at ${when} by ${entry[5] ?? entry[3]}: ${canonicalJson(entry[10])}`)
  }
  if (proof.kind !== 'report') return
  const { file_name: name, file_sha256: fileDigest } = document
  if (!file) facts.push(`the file ${name} was not compared (--file)`)
  else if (sha256(file) === fileDigest) facts.push(`the file is ${name} as it was made`)
  else faults.push(`the file is not ${name} as it was made`)
}

const sha256 = (of: string | Uint8Array): string => createHash('sha256').update(of).digest('hex')

/** RFC 8785: keys in the order of their UTF-16 units; numbers and texts as JSON.stringify writes them. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('JSON has no such number')
  if (typeof value === 'string' && !value.isWellFormed()) throw new Error('a text is not well-formed')
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((it) => canonicalJson(it)).join(',')}]`
  const entries = Object.entries(value).filter(([, it]) => it !== undefined)
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, it]) => `${canonicalJson(key)}:${canonicalJson(it)}`).join(',')}}`
}

function main(words: readonly string[]): void {
  const option = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
  const [name, keys, file] = [words[0], option('--key'), option('--file')]
  if (name === undefined)
    throw new Error(`usage: node ${basename(import.meta.filename)} FILE [--key KEY] [--file REPORT]`)
  const given = {
    ...(keys && { keys: readFileSync(keys, 'utf8') }),
    ...(file && { file: readFileSync(file) }),
  }
  const { facts, faults } = verifyProof(readFileSync(name, 'utf8'), given)
  const lines = faults.length > 0 ? ['NOT PROVED', ...faults] : ['PROVED', ...facts]
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}

if (import.meta.main) main(process.argv.slice(2))
