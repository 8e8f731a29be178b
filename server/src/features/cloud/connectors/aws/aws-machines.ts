import { pagesOf } from '../pages.ts'
import { factsOf, listAt, objectAt, textAt, type JsonObject } from '../read-json.ts'
import type { SeenMachine, SeenResource } from '../../cloud-resource.ts'
import type { AwsReading } from './aws-reading.ts'

/** More is not answered at once, and without a limit AWS allows fewer calls. */
const INSTANCES_MAX = '1000'

export async function* machinesOf(reading: AwsReading): AsyncIterable<SeenResource[]> {
  const pages = pagesOf(async (NextToken) => {
    const page = await reading.api.query(reading.place('ec2'), 'DescribeInstances', {
      MaxResults: INSTANCES_MAX,
      ...(NextToken !== undefined && { NextToken }),
    })
    return { items: listAt(page, 'reservationSet', 'item'), next: textAt(page, 'nextToken') }
  })
  for await (const reservations of pages)
    yield reservations
      .flatMap((it) => listAt(it, 'instancesSet', 'item'))
      // listed for about an hour more, without the addresses that others may have by then: it is no longer there
      .filter((it) => textAt(it, 'instanceState', 'name') !== 'terminated')
      .map((it) => machineFrom(reading, it))
}

function machineFrom(reading: AwsReading, instance: unknown): SeenResource {
  const of = (...path: string[]) => textAt(instance, ...path)
  const id = of('instanceId')
  const tags = new Map(
    listAt(instance, 'tagSet', 'item').map((it) => [textAt(it, 'key'), textAt(it, 'value')]),
  )
  return {
    scope: reading.scope,
    region: reading.scope.region,
    nativeId: reading.arn('ec2', `instance/${id}`),
    name: tags.get('Name') || id,
    status: of('instanceState', 'name'),
    tags: [...tags].map(([key, value]) => (value === '' ? key : `${key}:${value}`)).toSorted(),
    facts: factsOf({
      size: of('instanceType'),
      image: of('imageId'),
      vpc: of('vpcId'),
      subnet: of('subnetId'),
      zone: of('placement', 'availabilityZone'),
      key_name: of('keyName'),
      profile: of('iamInstanceProfile', 'arn'),
      created: of('launchTime'),
      metadata_tokens: of('metadataOptions', 'httpTokens'),
      public_ip: of('ipAddress'),
      platform: of('platformDetails'),
      cluster: tags.get('eks:cluster-name') ?? tags.get('aws:eks:cluster-name') ?? '',
    }),
    machine: seenMachine(instance, id),
  }
}

function seenMachine(instance: unknown, id: string): SeenMachine {
  const interfaces = listAt(instance, 'networkInterfaceSet', 'item').map((it) => objectAt(it))
  const hostname = textAt(instance, 'privateDnsName')
  const os = textAt(instance, 'platformDetails')
  return {
    cloudId: `aws:${id}`,
    macs: interfaces.map((it) => textAt(it, 'macAddress')).filter((it) => it !== ''),
    ips: addressesOf(instance, interfaces),
    ...(hostname !== '' && { hostname }),
    ...(os !== '' && { os }),
  }
}

/** Private ones first. */
function addressesOf(instance: unknown, interfaces: readonly JsonObject[]): string[] {
  const all = [
    textAt(instance, 'privateIpAddress'),
    ...interfaces.flatMap((it) => [
      ...listAt(it, 'privateIpAddressesSet', 'item').map((each) => textAt(each, 'privateIpAddress')),
      ...listAt(it, 'ipv6AddressesSet', 'item').map((each) => textAt(each, 'ipv6Address')),
    ]),
    textAt(instance, 'ipAddress'),
  ]
  return [...new Set(all)].filter((it) => it !== '')
}
