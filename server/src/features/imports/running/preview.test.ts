import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { upload, work } from '../uploads.fixture.ts'

const shared = sharedTestApp()

/** One unit short of what is shown of a name. */
const long = 'a'.repeat(199)
const bom = (name: string, part: object) =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { name, type: 'application' } },
    components: [{ type: 'library', version: '1', ...part }],
  })

test.each([
  ['a NUL in a cell', 'name,serial\n\0\0,x\nb,y\n', 1, 1],
  ['a NUL in a note', 'name,serial,notes\na,b,x\0y\n', 0, 1],
  ['a long cell that ends within a character', `name,serial\n${'a'.repeat(79)}😀b,s1\n`, 1, 0],
  ['a long name that ends within a character', `name,serial\n${long}😀b,s1\n`, 1, 0],
  ['a long title that ends within a character', `name,serial,${long}😀b\nx,y,z\n`, 1, 0],
  ['a NUL in what a document is of', bom('x\0', { name: 'ok' }), 1, 0],
  ['names of a document that end within a character', bom(`${long}😀b`, { name: `${long}😀b` }), 1, 0],
  ['half of a surrogate pair', bom('x', { name: '\ud800' }), 0, 1],
  ['a version with a NUL', bom('x', { name: 'a', version: '\0' }), 0, 1],
  ['a package URL of a NUL', bom('x', { name: 'a', purl: 'pkg:npm/a%00b@1' }), 0, 1],
])('%s is shown as it can be stored', async (_, content, taken, rejected) => {
  const ctx = await shared().newTenant()
  const { id } = await upload(ctx, content)
  const { status, preview } = await work(ctx, id)
  expect([status, preview?.rows, preview?.rejectedTotal]).toEqual(['ready', taken, rejected])
})
