import { expect, test } from 'vitest'
import { cloudInstanceIn } from './cloud-instance.ts'

const VM_ID = '0f5a2f4b-9c7e-4a55-8f0f-1d2c3b4a5968'

test.each([
  ['sys_vendor=Amazon EC2\nboard_asset_tag=i-0abcdef0123456789\n', '', 'aws:i-0abcdef0123456789'],
  // another maker's board may have any tag
  ['sys_vendor=Dell Inc.\nboard_asset_tag=i-0abcdef0123456789\n', '', undefined],
  ['', 'aws\ni-0abcdef0123456789\n', 'aws:i-0abcdef0123456789'],
  ['', `azure\n${VM_ID.toUpperCase()}\n`, `azure:${VM_ID}`],
  ['', 'gce\n1234567890123456789\n', 'gcp:1234567890123456789'],
  // cloud-init of an earlier boot, or of an image: no name of a cloud before the id
  ['', 'i-0abcdef0123456789\n', undefined],
  ['', 'openstack\n1234\n', undefined],
  ['', 'aws\niid-datasource-none\n', undefined],
  ['', '__proto__\nx\n', undefined],
  ['', '', undefined],
])('%j and %j: %s', (hardware, cloudInit, id) => {
  expect(cloudInstanceIn(hardware, cloudInit)).toBe(id)
})
