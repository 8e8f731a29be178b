import { expect, test } from 'vitest'
import { machinesOf } from './aws-machines.ts'
import type { AwsReading } from './aws-reading.ts'

/** Answers of DescribeInstances, as its reference (API version 2016-11-15) describes them. */

const scope = { account: '1', region: 'eu-west-1', type: 'compute' } as const

async function told(...instances: readonly object[]) {
  const answer = { reservationSet: { item: [{ instancesSet: { item: instances } }] } }
  const reading = {
    scope,
    api: { query: async () => answer },
    place: () => undefined,
    arn: (service: string, what: string) => `arn:aws:${service}:${what}`,
  } as unknown as AwsReading
  const pages = []
  for await (const page of machinesOf(reading)) pages.push(page)
  return pages.flat()
}

test('a machine of AWS is told by its id, its addresses, its name and what runs on it', async () => {
  const whole = {
    instanceId: 'i-1',
    instanceState: { name: 'running' },
    privateDnsName: 'ip-10-1-0-9.ec2.internal',
    privateIpAddress: '10.1.0.9',
    ipAddress: '192.0.2.1',
    platformDetails: 'Linux/UNIX',
    tagSet: {
      item: [
        { key: 'Name', value: 'web' },
        { key: 'team', value: '' },
      ],
    },
    networkInterfaceSet: {
      item: [
        {
          macAddress: '02:00:00:00:00:01',
          privateIpAddressesSet: {
            item: [{ privateIpAddress: '10.1.0.9' }, { privateIpAddress: '10.1.0.10' }],
          },
          ipv6AddressesSet: { item: [{ ipv6Address: '2001:db8::9' }] },
        },
      ],
    },
  }
  expect(await told(whole)).toMatchObject([
    {
      scope,
      region: 'eu-west-1',
      nativeId: 'arn:aws:ec2:instance/i-1',
      name: 'web',
      status: 'running',
      tags: ['Name:web', 'team'],
      machine: {
        cloudId: 'aws:i-1',
        hostname: 'ip-10-1-0-9.ec2.internal',
        os: 'Linux/UNIX',
        macs: ['02:00:00:00:00:01'],
        ips: ['10.1.0.9', '10.1.0.10', '2001:db8::9', '192.0.2.1'],
      },
    },
  ])
})

test('of a machine of AWS that has told little nothing is made up, and one that is terminated is gone', async () => {
  const [little, ...others] = await told(
    { instanceId: 'i-2', instanceState: { name: 'stopped' } },
    { instanceId: 'i-3', instanceState: { name: 'terminated' } },
  )
  expect(others).toEqual([])
  expect(little).toMatchObject({ name: 'i-2', status: 'stopped', tags: [] })
  expect(little?.machine).toEqual({ cloudId: 'aws:i-2', macs: [], ips: [] })
})
