import { expect, test } from 'vitest'
import { securityFactsOf } from './security-facts.ts'

test.each([
  [{ smb: { dialect: '3.1.1', signing: 'Required' } }, { smbDialect: '3.1.1', smbSigning: 'required' }],
  [{ askedBy: 'SNMPv2c' }, { snmpVersion: 2 }],
  [{ askedBy: 'SNMPv9' }, {}],
  [{ toolsState: 'guestToolsNotRunning' }, { toolsState: 'notrunning' }],
  [
    { tls: { validTo: '2027-01-02T00:00:00.000Z', selfSigned: true } },
    { certificates: [{ ends: '2027-01-02T00:00:00.000Z', isSelfSigned: true, isShown: true }] },
  ],
  [
    {
      certificates: [
        { expiresAt: '2029-01-01', subject: 'CN=a', issuer: 'CN=A' },
        { expiresAt: '2028-01-01', subject: 'CN=a', issuer: 'CN=b' },
        {},
      ],
    },
    {
      certificates: [
        { ends: '2028-01-01T00:00:00.000Z', isSelfSigned: false, isShown: false },
        { ends: '2029-01-01T00:00:00.000Z', isSelfSigned: true, isShown: false },
      ],
    },
  ],
  [{ certificates: [] }, { certificates: [] }],
  [{ tls: { subject: 'CN=a' } }, {}],
  [
    { defaultCommunity: true, lastSignInAt: '2026-11-01T08:00:00Z' },
    { hasDefaultCommunity: true, signedInAt: new Date('2026-11-01T08:00:00Z') },
  ],
  [{ protection: { antivirus: [] } }, { isAntivirusOn: false }],
  [
    { protection: { diskEncryption: 'luks', firewall: 'ufw', antivirus: ['ClamAV'] } },
    { isDiskEncrypted: true, isFirewallOn: true, isAntivirusOn: true },
  ],
  [
    { protection: { diskEncryption: 'none', firewall: 'none' } },
    { isDiskEncrypted: false, isFirewallOn: false },
  ],
  [
    {
      firewalls: [
        { profile: 'public', status: 'on' },
        { profile: 'domain', status: 'off' },
      ],
    },
    { isFirewallOn: false },
  ],
  [
    {
      antivirus: [
        { name: 'x', enabled: '0' },
        { name: 'y', enabled: '1' },
      ],
    },
    { isAntivirusOn: true },
  ],
  [
    {
      accounts: [
        { name: 'Gast', rid: 501, isDisabled: false },
        { name: 'Admin', rid: 500, isDisabled: true },
      ],
    },
    { isGuestEnabled: true, isDefaultAdminEnabled: false },
  ],
  [
    {
      accounts: [
        { name: 'root', uid: 0 },
        { name: 'toor', uid: 0 },
      ],
    },
    { hasSecondRoot: true },
  ],
  [
    {
      accounts: [
        { name: 'root', uid: 0 },
        { name: 'ann', uid: 1000 },
      ],
    },
    { hasSecondRoot: false },
  ],
  [{ accounts: ['root', 'ann'] }, {}],
  [{ smb: 'x', tls: [], protection: null, firewalls: 3, antivirus: '', accounts: {}, mfa: 'yes' }, {}],
])('%j', (facts, expected) => {
  expect(securityFactsOf([facts])).toEqual(expected)
})

test('the newest that says something wins', () => {
  expect(securityFactsOf([{}, { askedBy: 'SNMPv3' }, { askedBy: 'SNMPv1' }])).toEqual({ snmpVersion: 3 })
})
