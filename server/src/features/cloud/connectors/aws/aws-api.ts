import { AwsV4Signer } from 'aws4fetch'
import { XMLParser } from 'fast-xml-parser'
import { under } from '../base-address.ts'
import { CloudFault } from '../cloud-fault.ts'
import { callCloud, jsonOf, type CloudCall } from '../cloud-request.ts'
import type { Session } from '../connector.ts'
import type { JsonObject } from '../read-json.ts'
import type { AwsCredentials } from './aws-credentials.ts'
import { judgeAws } from './aws-answers.ts'

/** Where a call goes and whom it concerns. */
export interface AwsPlace {
  readonly service: string
  readonly region: string
  /** Whose limits the call counts against. */
  readonly account: string
}

export interface AwsApi {
  /** Of services that speak the Query protocol, EC2's included: parameters in a form, answers in XML. */
  readonly query: (
    place: AwsPlace,
    action: string,
    parameters: Readonly<Record<string, string>>,
  ) => Promise<JsonObject>
  /** JSON 1.1, by the header X-Amz-Target. */
  readonly json: (place: AwsPlace, target: string, body: JsonObject) => Promise<JsonObject>
  /** REST with JSON answers. */
  readonly rest: (
    place: AwsPlace,
    path: string,
    query: Readonly<Record<string, string>>,
    action: string,
  ) => Promise<JsonObject>
  /** REST with XML answers. */
  readonly xml: AwsApi['rest']
}

/** Versions of the Query APIs. */
const versions: Readonly<Record<string, string>> = { ec2: '2016-11-15', rds: '2014-10-31', sts: '2011-06-15' }

/** Signs each call with Signature Version 4, unless it has no credentials. */
export function awsApi(session: Session, credentials: AwsCredentials | undefined): AwsApi {
  const ask = (place: AwsPlace, call: Omit<CloudCall, 'bucket'>) => {
    const api = {
      authorize: async (it: CloudCall) => (credentials ? signed(session, credentials, place, it) : {}),
      renew: () => credentials?.forget(),
      judge: judgeAws,
    }
    const bucket = `aws/${place.account}/${place.region}/${place.service}`
    return callCloud(session, api, { ...call, bucket })
  }
  const get: (...of: Parameters<AwsApi['rest']>) => ReturnType<typeof ask> = (place, path, query, action) =>
    ask(place, {
      method: 'GET',
      url: under(addressOf(session, place), path, query),
      action: `${place.service}:${action}`,
    })
  return {
    async query(place, action, parameters) {
      const form = { Action: action, Version: versions[place.service] ?? '', ...parameters }
      const answer = await ask(place, {
        method: 'POST',
        url: under(addressOf(session, place), '/'),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
        action: `${place.service}:${action}`,
      })
      return parsed(answer.text)
    },
    async json(place, target, body) {
      const answer = await ask(place, {
        method: 'POST',
        url: under(addressOf(session, place), '/'),
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
        body: JSON.stringify(body),
        action: `${place.service}:${target.slice(target.indexOf('.') + 1)}`,
      })
      return jsonOf(answer) ?? {}
    },
    rest: async (...of) => jsonOf(await get(...of)) ?? {},
    xml: async (...of) => parsed((await get(...of)).text),
  }
}

async function signed(
  session: Session,
  credentials: AwsCredentials,
  { service, region }: AwsPlace,
  call: CloudCall,
): Promise<Readonly<Record<string, string>>> {
  const { headers } = await new AwsV4Signer({
    ...(await credentials.keys()),
    service,
    region,
    method: call.method,
    url: call.url.href,
    headers: call.headers ?? {},
    ...(call.body !== undefined && { body: call.body }),
    datetime: session
      .now()
      .toISOString()
      .replaceAll(/[:-]|\.\d{3}/g, ''),
  }).sign()
  return Object.fromEntries([...headers].filter(([name]) => name !== 'host'))
}

/** Where a partition answers for all of its regions. */
const homeRegions: Readonly<Record<string, string>> = {
  aws: 'us-east-1',
  'aws-cn': 'cn-north-1',
  'aws-us-gov': 'us-gov-west-1',
}

export const homeRegion = (session: Session): string => homeRegions[partitionOf(session)] ?? 'us-east-1'

export const partitionOf = (session: Session): string => session.settings['partition'] ?? 'aws'

function addressOf(session: Session, { service, region }: AwsPlace): string {
  const { apiAddress } = session.settings
  if (apiAddress !== undefined) return apiAddress
  const suffix = partitionOf(session) === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com'
  return `https://${service}.${region}.${suffix}`
}

/** Elements that hold many, also where there is one. */
const lists = new Set(['item', 'member', 'Bucket', 'DBInstance', 'DBCluster', 'Tag'])

/** Ids and versions stay texts; entities other than those of XML itself are not expanded. */
const parser = new XMLParser({ parseTagValue: false, isArray: (name) => lists.has(name) })

/** What is within the root element. */
function parsed(text: string): JsonObject {
  try {
    const { '?xml': _, ...document } = parser.parse(text) as Record<string, unknown>
    const [root] = Object.values(document)
    return typeof root === 'object' && root !== null ? (root as JsonObject) : {}
  } catch {
    throw new CloudFault('unavailable', 'the answer cannot be read')
  }
}
