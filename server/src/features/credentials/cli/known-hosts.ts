import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Command } from '#platform/cli/command.ts'
import { invalid } from '#platform/errors.ts'
import { parsePage } from '#platform/http/paging.ts'
import { deleteKnownHost, importKnownHosts, listKnownHosts } from '../host-keys/known-hosts.ts'

export const knownHostCommands: readonly Command[] = [
  {
    path: 'knownhosts import',
    args: ['file'],
    tenant: true,
    help: 'takes in a known_hosts file of OpenSSH, hashed names too (- for standard input); ssh-keyscan writes such lines',
    async run(ctx, { args: { file = '' } }) {
      const read = file === '-' ? text(process.stdin) : readFile(file, 'utf8')
      const content = await read.catch((error: NodeJS.ErrnoException) => {
        throw invalid('file', `cannot be read (${error.code})`)
      })
      const done = await importKnownHosts(ctx, content)
      const left = done.rejected.map(({ line, reason }) => `line ${line} ${reason}`)
      return { json: done, text: [`${done.read} lines read, ${done.added} new.`, ...left].join('\n') }
    },
  },
  {
    path: 'knownhosts list',
    tenant: true,
    options: {
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'leave out so many' },
    },
    help: 'the lines of known_hosts by which hosts are known at first sight, the newest first',
    async run(ctx, { options }) {
      const { items } = await listKnownHosts(ctx, parsePage(options))
      const json = items.map(({ isRevoked, createdAt, ...it }) => ({
        ...it,
        is_revoked: isRevoked,
        created_at: createdAt,
      }))
      const lines = items.map(
        (it) =>
          `${it.id}  ${it.isRevoked ? 'REVOKED ' : ''}${it.hosts.slice(0, 80)}  ${it.algorithm} ${it.fingerprint}`,
      )
      return { json, text: lines.join('\n') }
    },
  },
  {
    path: 'knownhosts delete',
    args: ['id'],
    tenant: true,
    help: 'removes a line; host keys that were pinned because of it stay',
    async run(ctx, { args: { id = '' } }) {
      await deleteKnownHost(ctx, id)
      return { json: { id }, text: 'Deleted.' }
    },
  },
]
