import { expect, test } from 'vitest'
import { ApiError, messageBesideField, messageOf } from './errors.ts'

const refused = (message: string) => new ApiError('invalid_request', message, { field: 'macAddress' })

test.each([
  ['macAddress: is not a MAC address', 'Is not a MAC address.'],
  ['mac_address: is not a MAC address', 'Is not a MAC address.'],
  ['items[0].name: must be text', 'Must be text.'],
  ['condition: position 5: a value is missing', 'Position 5: a value is missing.'],
  ['An asset of this name is there: use another name', 'An asset of this name is there: use another name.'],
])('beside its field %s is “%s”', (message, expected) =>
  expect(messageBesideField(refused(message))).toBe(expected),
)

test('elsewhere a message keeps the name of the field', () => {
  expect(messageOf(refused('macAddress: is not a MAC address'))).toBe('MacAddress: is not a MAC address.')
})
