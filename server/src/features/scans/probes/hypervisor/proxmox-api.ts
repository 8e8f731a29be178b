import type { Credential } from '../credential-access.ts'
import { hostCheckFor } from '../host-key-check.ts'
import { ProbeFailure } from '../probe.ts'
import { Interrupted, openHttps, type Answer } from '../tls/https-client.ts'
import { endpointText } from '../tls/pinned-certificate.ts'
import { CredentialRefused, type AccessContext } from './access-method.ts'

export const PROXMOX_PORT = 8006

/** What a JSON document may hold, looked at with care. */
export type JsonObject = Readonly<Record<string, unknown>>

export interface ProxmoxApi {
  readonly where: string
  /** The `data` of the answer. Undefined where the account may not see it, or the thing does not answer for itself. */
  readonly get: (path: string) => Promise<unknown>
  readonly close: () => Promise<void>
}

const TRIES_MAX = 3
const WORDS_LENGTH_MAX = 200
/** What is answered about one guest: it is not there, not running, has no agent, or may not be read. */
const ABSENT: ReadonlySet<number> = new Set([400, 403, 404, 500, 501, 595, 596])

/** The REST API of Proxmox VE, by an API token. */
export function openProxmoxApi(
  credential: Extract<Credential, { readonly kind: 'proxmox_token' }>,
  means: AccessContext,
): ProxmoxApi {
  const { address, host, limits } = means
  const peer = { address, host, port: credential.port ?? PROXMOX_PORT }
  const where = endpointText(peer)
  const https = openHttps(peer, { ...means, access: hostCheckFor(means.access, credential) }, limits)
  const headers = { authorization: `PVEAPIToken=${credential.tokenId}=${credential.secret}` }
  const ask = async (path: string): Promise<Answer> => {
    for (let tries = 1; ; tries++) {
      try {
        return await https.ask({ method: 'GET', path: `/api2/json${path}`, headers })
      } catch (error) {
        if (!(error instanceof Interrupted) || tries >= TRIES_MAX) throw error
      }
    }
  }
  return {
    where,
    close: https.close,
    async get(path) {
      const answer = await ask(path)
      const { status, text } = answer
      if (status === 401)
        throw new CredentialRefused(
          `Proxmox VE on ${where} refused the API token; it must be written USER@REALM!NAME, be neither expired nor disabled, and its secret must be that of the token`,
        )
      if (ABSENT.has(status) && path !== '/version') return undefined
      const type = answer.header('content-type') ?? 'no content type'
      if (status !== 200 || !/json/i.test(type))
        throw new ProbeFailure(
          `${where} answers HTTP ${status}, ${type.slice(0, WORDS_LENGTH_MAX)} where Proxmox VE would answer in JSON`,
        )
      means.onRaw(path, text)
      return dataIn(text, where)
    },
  }
}

function dataIn(text: string, where: string): unknown {
  try {
    const document: unknown = JSON.parse(text)
    if (isObject(document) && 'data' in document) return document.data
  } catch {
    // said below
  }
  throw new ProbeFailure(`${where} sent a broken answer: it is not the JSON of Proxmox VE, or was cut off`)
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined
}
