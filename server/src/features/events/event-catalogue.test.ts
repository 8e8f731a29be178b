import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { catalogue, eventTypes, isEventType } from './event-catalogue.ts'

test('holds the ten event types', () => {
  expect(eventTypes).toEqual([
    'NEW_ASSET',
    'UPDATED_ASSET',
    'DELETED_ASSET',
    'NEW_SOURCE',
    'EXPORT_COMPLETED',
    'UNLINK',
    'SCAN_COMPLETED',
    'VULNERABILITY_FOUND',
    'COMPLIANCE_UPDATED',
    'FLOW_TRIGGERED',
  ])
})

describe.each(eventTypes)('%s', (type) => {
  const payload = Compile(catalogue[type].payload)
  test('has a sample that fits', () => {
    expect([...payload.Errors(catalogue[type].sample)]).toEqual([])
  })
  test('carries tenant_id', () => {
    const { tenant_id: _, ...rest } = catalogue[type].sample
    expect(payload.Check(rest)).toBe(false)
  })
  test('may have more fields', () => {
    expect(payload.Check({ ...catalogue[type].sample, later: true })).toBe(true)
  })
})

test.each(['new_asset', 'webhook.test', '', 'toString'])('%s is no event type', (text) => {
  expect(isEventType(text)).toBe(false)
})
