import { expect, test } from 'vitest'
import { softwareItem } from './installed-software.ts'

test.each([
  ['openssh-client_1:9.2p1-2+deb12u10_amd64', 'openssh-client', '1:9.2p1-2+deb12u10', 'amd64'],
  ['adduser_3.134_all', 'adduser', '3.134', 'all'],
  ['bash-4.2.46-34.el7.x86_64', 'bash', '4.2.46-34.el7', 'x86_64'],
  [
    'java-1.8.0-openjdk-headless-1.8.0.402.b06-2.el8.x86_64',
    'java-1.8.0-openjdk-headless',
    '1.8.0.402.b06-2.el8',
    'x86_64',
  ],
  ['kernel-2.6.32-754.el6', 'kernel', '2.6.32-754.el6', undefined],
  ['7-Zip 9.20', '7-Zip', '9.20', undefined],
  ['Mozilla Firefox 115.0.2 (x64 en-US)', 'Mozilla Firefox', '115.0.2', undefined],
  [
    'Microsoft Visual C++ 2010 x64 Redistributable - 10.0.40219',
    'Microsoft Visual C++ 2010 x64 Redistributable',
    '10.0.40219',
    undefined,
  ],
  ['Windows Driver Package - Nokia', 'Windows Driver Package - Nokia', '', undefined],
  ['Update for Windows XP (KB951978)', 'Update for Windows XP (KB951978)', '', undefined],
])('%s', (name, product, version, arch) => {
  expect(softwareItem({ name })).toEqual({ origin: 'snmp', name: product, version, ...(arch && { arch }) })
})
