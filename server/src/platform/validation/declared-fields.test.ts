import { Type, type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { declaredFields } from './declared-fields.ts'
import type { JsonSchema } from '../http/request-schema.ts'

const part = Type.Object({ a: Type.Optional(Type.String()) })

test.each<[TSchema, unknown, unknown]>([
  [part, { a: 'x', b: 1 }, { a: 'x' }],
  [part, { b: 1 }, {}],
  [part, JSON.parse('{"a":"x","__proto__":{"b":1},"toString":1}'), { a: 'x' }],
  [Type.Object({ parts: Type.Array(part) }), { parts: [{ b: 1 }, { a: 'x' }] }, { parts: [{}, { a: 'x' }] }],
  [Type.Object({ inner: part }), { inner: { a: 'x', b: 1 }, b: 1 }, { inner: { a: 'x' } }],
  [Type.Object({ any: Type.Unknown() }), { any: { b: [{ c: 1 }] } }, { any: { b: [{ c: 1 }] } }],
  [Type.Record(Type.String(), Type.Unknown()), { b: { c: 1 } }, { b: { c: 1 } }],
  [Type.Object({}), { b: 'x' }, { b: 'x' }],
  [Type.Object({ a: Type.String() }, { additionalProperties: Type.String() }), { b: 'x' }, { b: 'x' }],
  [Type.Object({ u: Type.Union([part, Type.Null()]) }), { u: { b: 1 } }, { u: { b: 1 } }],
  [Type.Object({ u: Type.Union([part, Type.Null()]) }), { u: null }, { u: null }],
])('%# only what the schema declares is kept', (schema, given, kept) => {
  expect(declaredFields(schema as unknown as JsonSchema, given)).toEqual(kept)
})
