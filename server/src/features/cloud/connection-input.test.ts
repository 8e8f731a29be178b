import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkedSecrets, checkedValues } from './connection-input.ts'

type Values = Readonly<Record<string, string>>
const ID = '11111111-2222-4333-8444-555555555555'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const keyFile = (more: object = {}) =>
  JSON.stringify({
    client_email: 'reader@project.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ...more,
  })
const POOL = 'projects/1/locations/global/workloadIdentityPools/pool/providers/rollcall'

/** Of each way of signing in, values that fit. */
const fitting: Readonly<Record<string, readonly [string, string, Values]>> = {
  key: ['AWS', 'access_key', { accessKeyId: 'AKIA', secretAccessKey: 's' }],
  role: ['AWS', 'web_identity', { roleArn: 'arn:aws:iam::111111111111:role/reader' }],
  machine: ['AWS', 'instance_profile', {}],
  azure: ['Azure', 'client_secret', { directory: 'd.example', clientId: ID, clientSecret: 's' }],
  federated: ['Azure', 'federated', { directory: 'd.example', clientId: ID }],
  managed: ['Azure', 'managed_identity', {}],
  google: ['GCP', 'service_account_key', { scope: 'projects/project-1', serviceAccountKey: keyFile() }],
  pool: [
    'GCP',
    'workload_identity',
    {
      scope: 'organizations/1',
      poolProvider: POOL,
      serviceAccount: 'reader@project.iam.gserviceaccount.com',
    },
  ],
  cluster: ['Kubernetes', 'service_account_token', { apiAddress: 'https://10.0.0.1:6443', token: 't' }],
}

const check = (name: string, more: Values = {}) => {
  const [provider, signIn, values] = fitting[name] ?? ['', '', {}]
  return checkedValues({ name: 'x', provider, signIn, values: { ...values, ...more } })
}
const refused = (field: string) => expect.objectContaining({ status: 400, extras: { field } }) as Error

describe('values of a connection', () => {
  test.each(Object.keys(fitting))('%s is taken, secrets apart from what may be read', (name) => {
    const { provider, signIn, settings, secrets } = check(name)
    expect([provider, signIn, { ...settings, ...secrets }]).toEqual(fitting[name])
    expect(Object.keys(secrets)).toEqual(
      Object.keys(fitting[name]?.[2] ?? {}).filter((it) =>
        ['secretAccessKey', 'clientSecret', 'serviceAccountKey', 'token'].includes(it),
      ),
    )
  })

  test('are trimmed, and empty ones left out', () => {
    expect(check('key', { regions: '  ', roleName: ' reader ' }).settings).toEqual({
      accessKeyId: 'AKIA',
      roleName: 'reader',
    })
  })

  test.each<[string, Values]>([
    ['key', { accounts: 'organization', externalId: 'optional', partition: 'aws-us-gov' }],
    ['key', { accounts: '111111111111, 222222222222', regions: 'eu-west-1, us-east-1' }],
    ['key', { apiAddress: 'http://127.0.0.1:9/aws' }],
    ['role', { roleArn: 'arn:aws-cn:iam::111111111111:role/path/reader' }],
    ['managed', { clientId: ID, apiAddress: 'https://management.usgovcloudapi.net/' }],
    ['google', { scope: 'folders/7', costTable: 'project-1.billing.export_X-1' }],
  ])('of %s may be %j', (name, more) => {
    expect(check(name, more).settings).toMatchObject(more)
  })

  test.each<[string, Values, string]>([
    ['key', { colour: 'red' }, 'colour'],
    ['key', { accessKeyId: ' ' }, 'accessKeyId'],
    ['key', { secretAccessKey: '' }, 'secretAccessKey'],
    ['key', { accessKeyId: 'x'.repeat(2_049) }, 'accessKeyId'],
    ['key', { accessKeyId: 'a\u0007b' }, 'accessKeyId'],
    ['key', { accessKeyId: 'a\ud800b' }, 'accessKeyId'],
    ['key', { accounts: '123' }, 'accounts'],
    ['key', { accounts: 'all' }, 'accounts'],
    ['key', { partition: 'aws-moon' }, 'partition'],
    ['key', { regions: 'EU West' }, 'regions'],
    ['key', { roleName: 'a role' }, 'roleName'],
    ['key', { externalId: 'x' }, 'externalId'],
    ['key', { apiAddress: 'ftp://host' }, 'apiAddress'],
    ['key', { apiAddress: 'no address' }, 'apiAddress'],
    ['key', { apiAddress: 'https://me@host' }, 'apiAddress'],
    ['key', { apiAddress: 'https://:word@host' }, 'apiAddress'],
    ['key', { apiAddress: 'https://host/?q=1' }, 'apiAddress'],
    ['key', { apiAddress: 'https://host/#part' }, 'apiAddress'],
    ['role', { roleArn: 'arn:aws:iam::1:role/x' }, 'roleArn'],
    ['role', { roleArn: 'arn:aws:iam::111111111111:user/x' }, 'roleArn'],
    ['machine', { apiAddress: 'https://elsewhere.example' }, 'apiAddress'],
    ['managed', { apiAddress: 'https://elsewhere.example' }, 'apiAddress'],
    ['managed', { clientId: 'x' }, 'clientId'],
    ['azure', { directory: 'a directory' }, 'directory'],
    ['azure', { clientId: '7' }, 'clientId'],
    ['azure', { loginAddress: 'https://host?x' }, 'loginAddress'],
    ['google', { scope: 'project-1' }, 'scope'],
    ['google', { costTable: 'table' }, 'costTable'],
    ['google', { tokenAddress: 'x' }, 'tokenAddress'],
    ['google', { serviceAccountKey: 'x' }, 'serviceAccountKey'],
    ['google', { serviceAccountKey: keyFile({ private_key: 'x' }) }, 'serviceAccountKey'],
    ['google', { serviceAccountKey: keyFile({ client_email: '' }) }, 'serviceAccountKey'],
    ['google', { serviceAccountKey: 'x'.repeat(16_385) }, 'serviceAccountKey'],
    ['pool', { poolProvider: 'projects/x' }, 'poolProvider'],
    ['pool', { serviceAccount: 'reader' }, 'serviceAccount'],
    ['cluster', { apiAddress: '' }, 'apiAddress'],
    ['cluster', { certificateAuthority: 'no certificate' }, 'certificateAuthority'],
  ])('of %s may not be %.60j', (name, more, field) => {
    expect(() => check(name, more)).toThrow(refused(field))
  })

  test('need a provider and one of its ways of signing in', () => {
    const of = (provider: string, signIn: string) => () =>
      checkedValues({ name: 'x', provider, signIn, values: {} })
    expect(of('IBM', 'access_key')).toThrow(refused('provider'))
    expect(of('AWS', 'client_secret')).toThrow(refused('signIn'))
  })
})

test('secrets are replaced by all of the way of signing in, and by nothing else', () => {
  expect(checkedSecrets('AWS', 'access_key', { secretAccessKey: ' new ' })).toEqual({
    secretAccessKey: 'new',
  })
  const cases: readonly [string, string, Values, string][] = [
    ['AWS', 'access_key', {}, 'secretAccessKey'],
    ['AWS', 'access_key', { accessKeyId: 'x', secretAccessKey: 'x' }, 'accessKeyId'],
    ['AWS', 'web_identity', {}, 'secrets'],
    ['AWS', 'magic', {}, 'signIn'],
  ]
  for (const [provider, signIn, values, field] of cases)
    expect(() => checkedSecrets(provider, signIn, values)).toThrow(refused(field))
})
