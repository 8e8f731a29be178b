import { expect, test } from 'vitest'
import { QUICK } from '../../cloud.fixture.ts'
import type { Session } from '../connector.ts'
import { awsApi, homeRegion } from './aws-api.ts'
import { lastingKeys } from './aws-credentials.ts'

/** A session of a partition whose calls are written down and answered with nothing. */
function sessionOf(partition: string | undefined) {
  const called: string[] = []
  const session: Session = {
    signIn: 'access_key',
    settings: partition === undefined ? {} : { partition },
    secrets: {},
    net: {
      fetch: async (url, { headers }) => {
        const [, region] = /\/\d{8}\/([^/]+)\//.exec(JSON.stringify(headers)) ?? []
        called.push(`${url.origin} signed for ${region}`)
        return new Response('<R/>')
      },
    },
    metadata: undefined,
    now: () => new Date(),
    signal: new AbortController().signal,
    rates: { take: async () => {}, throttled: async () => {} },
    externalId: '',
    identityToken: async () => '',
    pace: QUICK,
  }
  return { session, called }
}

test.each([
  [undefined, 'https://ec2.us-east-1.amazonaws.com signed for us-east-1'],
  ['aws-cn', 'https://ec2.cn-north-1.amazonaws.com.cn signed for cn-north-1'],
  ['aws-us-gov', 'https://ec2.us-gov-west-1.amazonaws.com signed for us-gov-west-1'],
])('partition %s is asked at %s', async (partition, expected) => {
  const { session, called } = sessionOf(partition)
  const api = awsApi(session, lastingKeys({ accessKeyId: 'a', secretAccessKey: 's' }))
  await api.query({ service: 'ec2', region: homeRegion(session), account: '' }, 'DescribeRegions', {})
  expect(called).toEqual([expected])
})
