import { expect, test } from 'vitest'
import { imageFrom, purlOf } from './images.ts'

const digest = `sha256:${'a'.repeat(64)}`

test.each([
  ['nginx', '', ['docker.io/library/nginx', 'latest', '']],
  ['nginx:1.27', `docker.io/library/nginx@${digest}`, ['docker.io/library/nginx', '1.27', digest]],
  ['acme/web:2', '', ['docker.io/acme/web', '2', '']],
  ['localhost:5000/logs', '', ['localhost:5000/logs', 'latest', '']],
  ['localhost:5000/logs:2', '', ['localhost:5000/logs', '2', '']],
  [`ghcr.io/acme/db@${digest}`, '', ['ghcr.io/acme/db', '', digest]],
  [`ghcr.io/acme/db:3@${digest}`, '', ['ghcr.io/acme/db', '3', digest]],
  ['nginx', 'sha256:short', ['docker.io/library/nginx', 'latest', '']],
])('%s as %s', (reference, imageId, expected) =>
  expect(Object.values(imageFrom(reference, imageId))).toEqual(expected),
)

test('a package URL has the digest as its version', () => {
  expect(purlOf(imageFrom(`ghcr.io/acme/DB:3@${digest}`, ''))).toBe(
    `pkg:oci/db@sha256%3A${'a'.repeat(64)}?repository_url=ghcr.io%2Facme%2FDB&tag=3`,
  )
  expect(purlOf(imageFrom('nginx', ''))).toBe(
    'pkg:oci/nginx?repository_url=docker.io%2Flibrary%2Fnginx&tag=latest',
  )
})
