import type { SeededRandom } from '../seeded-random.ts'
import { addressIn, fullName } from '../company.ts'
import type { SourceName } from '../sources.ts'
import { observer, type AssetGenerator, type SourcedObservation } from './generator.ts'

interface Provider {
  readonly by: SourceName
  readonly vendor: string
  readonly regions: readonly string[]
  readonly accounts: readonly string[]
  /** Name of the provider's service for each kind of resource. */
  readonly services: Readonly<Record<Kind, string>>
  readonly idOf: (where: { account: string; region: string; kind: Kind; unique: string }) => string
}

type Kind = 'compute' | 'database' | 'storage' | 'kubernetes' | 'function'
const kinds: readonly Kind[] = [
  'compute',
  'compute',
  'compute',
  'database',
  'storage',
  'storage',
  'kubernetes',
  'function',
]

const providers: readonly Provider[] = [
  {
    by: 'aws',
    vendor: 'AWS',
    regions: ['eu-central-1', 'eu-north-1', 'us-east-1', 'ap-southeast-1'],
    accounts: ['111122223333', '444455556666', '777788889999'],
    services: { compute: 'EC2', database: 'RDS', storage: 'S3', kubernetes: 'EKS', function: 'Lambda' },
    idOf: ({ account, region, kind, unique }) =>
      `aws:${account}:${region}:${kind === 'compute' ? 'i' : kind}-0${unique}`,
  },
  {
    by: 'azure',
    vendor: 'Azure',
    regions: ['westeurope', 'northeurope', 'eastus2'],
    accounts: ['production', 'development'],
    services: {
      compute: 'Virtual Machines',
      database: 'SQL Database',
      storage: 'Storage account',
      kubernetes: 'AKS',
      function: 'Functions',
    },
    idOf: ({ account, unique }) => `azure:${account}:${unique}`,
  },
  {
    by: 'gcp',
    vendor: 'GCP',
    regions: ['europe-west4', 'europe-north1', 'us-central1'],
    accounts: ['halden-prod', 'halden-analytics'],
    services: {
      compute: 'Compute Engine',
      database: 'Cloud SQL',
      storage: 'Cloud Storage',
      kubernetes: 'GKE',
      function: 'Cloud Functions',
    },
    idOf: ({ account, unique }) => `gcp:${account}:${unique}`,
  },
]

const AGENT_PERCENT = 50
const VPC_NETS = 16

/** A virtual machine may also run an agent, which reports the instance id of the metadata service. */
export const cloudResources: AssetGenerator = {
  name: 'cloud-resources',
  share: 80,
  generate(number, estate, random) {
    const provider = random.pick([providers[0]!, ...providers])
    const kind = random.pick(kinds)
    const region = random.pick(provider.regions)
    const account = random.pick(provider.accounts)
    const id = provider.idOf({ account, region, kind, unique: random.hex(16) })
    const name = `${random.pick(['shop', 'portal', 'billing', 'telemetry', 'data'])}-${kind}-${number + 1}`
    const ip =
      kind === 'compute'
        ? addressIn(`172.${16 + (number % VPC_NETS)}`, 0, Math.floor(number / VPC_NETS))
        : undefined
    const observe = observer(estate, random)
    const found: SourcedObservation[] = [
      observe(provider.by, id, {
        ids: { cloud_id: id, ip, hostname: kind === 'compute' ? fullName(name) : undefined },
        name,
        assetType: 'cloud_resource',
        vendor: provider.vendor,
        model: provider.services[kind],
        tags: [`environment:${random.pick(['production', 'staging', 'development'])}`],
        facts: {
          provider: provider.vendor,
          type: kind,
          region,
          account,
          status: random.pick(['running', 'running', 'stopped']),
        },
      }),
    ]
    if (kind === 'compute' && random.percent(AGENT_PERCENT))
      found.push(agentIn(id, { name, ip, random, observe }))
    return found
  },
}

interface Instance {
  readonly name: string
  readonly ip: string | undefined
  readonly random: SeededRandom
  readonly observe: ReturnType<typeof observer>
}

function agentIn(id: string, { name, ip, random, observe }: Instance): SourcedObservation {
  const key = random.hex(64)
  return observe('agents', key, {
    ids: { agent_key: key, cloud_id: id, machine_id: random.hex(32), hostname: fullName(name), ip },
    name,
    os: random.pick(['Amazon Linux 2023', 'Ubuntu 24.04 LTS', 'Debian GNU/Linux 12 (bookworm)']),
  })
}
