import { expect, test } from 'vitest'
import { registrantNamed } from './registrants.ts'
import { vendorKey, vendorName } from './vendors.ts'

test.each([
  // Legal forms, and words that half of all makers carry.
  ['MOXA Technologies Co., Ltd.', 'Moxa'],
  ['Hirschmann GmbH & Co. KG', 'Hirschmann'],
  // Subsidiaries of a country.
  ['Siemens Schweiz AG', 'Siemens'],
  ['Panasonic Corporation of North America', 'Panasonic'],
  ['Mitsubishi Electric Australia Pty Ltd', 'Mitsubishi Electric'],
  // Joined, apart, and without the sign between.
  ['DLink', 'D-Link'],
  ['TPLINK', 'TP-Link'],
  ['ATT', 'AT&T'],
  // Others: a region is not taken for a name, nor a name for its beginning.
  ['Siemens Energy Partners', 'Siemens Energy Partners'],
  ['China Europe', 'China Europe'],
])('%s is %s', (spelling, maker) => {
  expect(vendorKey(spelling)).toBe(vendorKey(maker))
  expect(vendorName(spelling).toLowerCase()).toBe(maker.toLowerCase())
})

test.each([
  ['HPE', 'HP', 'Hewlett Packard Enterprise'],
  ['Hewlett Packard Enterprise', 'HP', 'Hewlett Packard Enterprise'],
  ['Hewlett-Packard Company', 'HP', 'HP'],
  ['ALLEN BRADLEY', 'Rockwell Automation', 'Allen-Bradley'],
])('%s counts as %s and is called %s', (spelling, maker, name) => {
  expect(vendorKey(spelling)).toBe(vendorKey(maker))
  expect(vendorName(spelling)).toBe(name)
})

test('a registrant of addresses is found by its name but for the legal form, and only by the whole of it', () => {
  expect(registrantNamed('1.A CONNECT')).toBe('1.A Connect GmbH')
  expect(registrantNamed('Loytec Electronics GmbH & Co. KG')).toBe('LOYTEC electronics GmbH')
  expect(registrantNamed('1.A')).toBeUndefined()
  expect(registrantNamed('GmbH')).toBeUndefined()
  expect(registrantNamed('')).toBeUndefined()
})
