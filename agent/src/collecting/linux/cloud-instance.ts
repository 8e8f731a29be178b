import { isObject, present, type Json } from '../../json.ts'
import { requestOver } from '../../wire/http-request.ts'
import type { Machine } from '../machine.ts'

const DMI = '/sys/class/dmi/id'
const METADATA_HOST = '169.254.169.254'
const BUDGET_MS = 300
const BYTES_MAX = 65_536
/** What Azure writes as the asset tag of every machine's chassis. */
const AZURE_ASSET_TAG = '7783-7084-3265-9085-8269-3286-77'

type Provider = 'aws' | 'azure' | 'gcp'

/**
 * `{provider, instanceId, region}`. The metadata service is asked only where the firmware names that cloud; where it does
 * not answer, what cloud-init wrote down at boot is taken.
 */
export async function cloudInstance(machine: Machine): Promise<Json | undefined> {
  const provider = await providerOf(machine)
  if (provider === undefined) return undefined
  try {
    return await questions[provider]()
  } catch {
    return fromCloudInit((await machine.read('/run/cloud-init/instance-data.json')) ?? '{}', provider)
  }
}

async function providerOf(machine: Machine): Promise<Provider | undefined> {
  const dmi = async (name: string): Promise<string> => (await machine.read(`${DMI}/${name}`))?.trim() ?? ''
  const [vendor, product, tag] = await Promise.all(
    ['sys_vendor', 'product_name', 'chassis_asset_tag'].map(dmi),
  )
  if (vendor === 'Amazon EC2') return 'aws'
  if (tag === AZURE_ASSET_TAG) return 'azure'
  return product === 'Google Compute Engine' ? 'gcp' : undefined
}

const questions: Readonly<Record<Provider, () => Promise<Json>>> = {
  async aws() {
    const token = await ask('PUT', '/latest/api/token', { 'x-aws-ec2-metadata-token-ttl-seconds': '60' })
    const headers = { 'x-aws-ec2-metadata-token': token }
    const document = objectIn(await ask('GET', '/latest/dynamic/instance-identity/document', headers))
    return instance('aws', document['instanceId'], document['region'])
  },
  async azure() {
    const path = '/metadata/instance/compute?api-version=2021-02-01'
    const compute = objectIn(await ask('GET', path, { metadata: 'true' }))
    return instance('azure', compute['vmId'], compute['location'])
  },
  async gcp() {
    const headers = { 'metadata-flavor': 'Google' }
    const id = await ask('GET', '/computeMetadata/v1/instance/id', headers)
    const zone = await ask('GET', '/computeMetadata/v1/instance/zone', headers)
    return instance('gcp', id.trim(), zone.trim().replace(/^.*\//, ''))
  },
}

/** Of `v1`, which cloud-init standardises across clouds. */
export function fromCloudInit(text: string, provider: Provider): Json | undefined {
  const data = objectIn(text)['v1']
  const { instance_id: id, region } = isObject(data) ? data : {}
  return typeof id === 'string' ? instance(provider, id, region) : undefined
}

function instance(provider: Provider, id: unknown, region: unknown): Json {
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id)) throw new Error('no instance id was told')
  return present({ provider, instanceId: id, region: typeof region === 'string' ? region : undefined })
}

function objectIn(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}

function ask(method: 'GET' | 'PUT', path: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(BUDGET_MS)
    const question = requestOver('http:')(
      { host: METADATA_HOST, method, path, headers, signal },
      (answer) => {
        const chunks: Buffer[] = []
        let length = 0
        answer.on('data', (chunk: Buffer) => {
          length += chunk.length
          if (length <= BYTES_MAX) chunks.push(chunk)
        })
        answer.on('error', reject)
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'))
          else reject(new Error(`the metadata service answered ${answer.statusCode}`))
        })
      },
    )
    question.on('error', reject)
    question.end()
  })
}
