import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { createCredential } from '#features/credentials/credentials.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { needs } from '#test/support/needs.ts'
import { snmpd } from '#test/support/scanned-hosts/snmpd.ts'
import { listResults } from '../results/results.ts'
import { runScan } from './run-scan.ts'
import { createScan, createTarget, getScan } from '../scans.ts'

const ALL = { limit: 10, offset: 0 }
const LONG = 120_000

needs('snmpd', 'snmpget')('a scan over SNMP, from the vault to the inventory', () => {
  test('logs in and stores what the device reports', { timeout: LONG }, async () => {
    const agent = await snmpd(
      'sysName core-1.example.test',
      'createUser monitor SHA-256 authpass12345 AES privpass12345',
      'rouser monitor priv',
    )
    try {
      const ctx = await (await testApp()).newTenant()
      const target = await createTarget(ctx, { name: 'it', host: '127.0.0.1' })
      const scan = async (authPassword: string) => {
        const { id } = await createScan(ctx, { type: 'snmp', targetId: target.id })
        await createCredential(ctx, {
          name: `monitor ${id}`,
          kind: 'snmp_user',
          cidrs: ['127.0.0.0/8'],
          targetIds: [],
          port: agent.port,
          values: {
            username: 'monitor',
            authProtocol: 'sha256',
            authPassword,
            privacyProtocol: 'aes',
            privacyPassword: 'privpass12345',
          },
        })
        await runScan(ctx, { scanId: id }, new AbortController().signal)
        return getScan(ctx, id)
      }
      expect(await scan('wrongpass12345')).toMatchObject({
        status: 'failed',
        message: expect.stringContaining('wrong authentication password or protocol (wrongDigest)'),
      })
      const { id, ...ended } = await scan('authpass12345')
      expect(ended).toMatchObject({ status: 'completed', assetCount: 1 })
      const { items } = await listAssets(ctx, ALL)
      expect(items).toMatchObject([{ name: 'core-1.example.test', os: expect.stringMatching(/^Linux \d/) }])
      const reported = JSON.stringify(await listResults(ctx, id, ALL))
      expect(reported).toContain('core-1.example.test')
      expect(reported).not.toMatch(/authpass12345|privpass12345/)
    } finally {
      await agent.close()
    }
  })
})
