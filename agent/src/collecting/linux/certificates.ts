import { X509Certificate } from 'node:crypto'
import type { Json, JsonObject } from '../../json.ts'
import { certificateFacts } from '../certificate-facts.ts'
import type { Machine } from '../machine.ts'

const FOLDERS = ['/etc/ssl', '/etc/ssl/private', '/etc/pki/tls/certs', '/etc/nginx/ssl', '/etc/apache2/ssl']
const LETS_ENCRYPT = '/etc/letsencrypt/live'
/** Bundles of authorities that come with the distribution. */
const BUNDLE = /^(ca-certificates|ca-bundle|tls-ca-bundle)/
const LIST_MAX = 200

/** Certificates that servers on this host present: the first of each file. Private keys that stand in such files are passed over. */
export async function certificates(machine: Machine): Promise<Json | undefined> {
  const sites = await machine.list(LETS_ENCRYPT)
  const folders = await Promise.all(
    FOLDERS.map(async (folder) => (await machine.list(folder)).map((it) => `${folder}/${it}`)),
  )
  const paths = [...folders.flat(), ...sites.map((it) => `${LETS_ENCRYPT}/${it}/cert.pem`)].filter(
    (it) => /\.(pem|crt|cer)$/.test(it) && !BUNDLE.test(it.replace(/^.*\//, '')),
  )
  const found = await Promise.all(paths.slice(0, LIST_MAX).map((it) => certificateAt(machine, it)))
  const list = found.filter((it) => it !== undefined)
  return list.length === 0 ? undefined : list
}

async function certificateAt(machine: Machine, path: string): Promise<JsonObject | undefined> {
  const text = (await machine.read(path)) ?? ''
  const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(text)?.[0]
  if (block === undefined) return undefined
  try {
    return certificateFacts(new X509Certificate(block), path)
  } catch {
    return undefined
  }
}
