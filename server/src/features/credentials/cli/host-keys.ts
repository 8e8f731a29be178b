import type { Command } from '#platform/cli/command.ts'
import { parsePage } from '#platform/http/paging.ts'
import { tenantOfCredential } from '../credentials.ts'
import {
  acceptHostKey,
  addHostKey,
  approveHostKey,
  forgetHostKey,
  listHostKeys,
  refuseHostKey,
} from '../host-keys/host-keys.ts'
import type { PinnedKey } from '../host-keys/host-key.ts'

const byId: Pick<Command, 'tenant' | 'tenantOf'> = {
  tenant: true,
  tenantOf: (system, { args: { id = '' } }) => tenantOfCredential(system, id),
}

const told = (it: PinnedKey) => ({ json: hostKeyJson(it), text: hostKeyLine(it) })

export const hostKeyCommands: readonly Command[] = [
  {
    path: 'hostkey list',
    tenant: true,
    options: {
      waiting: { flag: true, help: 'only those of unknown hosts, which wait for approve or refuse' },
      limit: { value: 'N', help: 'at most so many, 50 unless given' },
      offset: { value: 'N', help: 'leave out so many' },
    },
    help: 'the keys that hosts are known by; those that wait for an answer come first, then those that changed',
    async run(ctx, { options }) {
      const trust = options['waiting'] ? 'waiting' : undefined
      const { items } = await listHostKeys(ctx, parsePage(options), trust)
      return { json: items.map(hostKeyJson), text: items.map(hostKeyLine).join('\n') }
    },
  },
  {
    path: 'hostkey approve',
    args: ['id', 'fingerprint'],
    ...byId,
    help: 'the key that an unknown host showed is its own; the fingerprint is the one that you looked at',
    run: async (ctx, { args: { id = '', fingerprint = '' } }) =>
      told(await approveHostKey(ctx, id, fingerprint)),
  },
  {
    path: 'hostkey refuse',
    args: ['id'],
    ...byId,
    help: 'the key that an unknown host showed is not its own; nothing secret is sent to whoever shows it',
    run: async (ctx, { args: { id = '' } }) => told(await refuseHostKey(ctx, id)),
  },
  {
    path: 'hostkey add',
    args: ['address', 'fingerprint'],
    tenant: true,
    options: {
      port: { value: 'N', help: '22 unless given' },
      algorithm: { value: 'NAME', help: 'ssh-ed25519 unless given; tls: the fingerprint of a certificate' },
    },
    help: 'a key that is known before any scan meets the host; for a whole file see knownhosts import',
    async run(ctx, { args: { address = '', fingerprint = '' }, options }) {
      const { port = '22', algorithm = 'ssh-ed25519' } = options
      return told(
        await addHostKey(ctx, { address, port: Number(port), algorithm: String(algorithm), fingerprint }),
      )
    },
  },
  {
    path: 'hostkey accept',
    args: ['id'],
    ...byId,
    help: 'the key that the host showed instead of its known one is right',
    run: async (ctx, { args: { id = '' } }) => told(await acceptHostKey(ctx, id)),
  },
  {
    path: 'hostkey forget',
    args: ['id'],
    ...byId,
    help: 'forgets the key; the host is unknown again',
    async run(ctx, { args: { id = '' } }) {
      await forgetHostKey(ctx, id)
      return { json: { id }, text: 'Forgotten.' }
    },
  },
]

const hostKeyJson = (it: PinnedKey) => ({
  id: it.id,
  address: it.address,
  port: it.port,
  algorithm: it.algorithm,
  fingerprint: it.fingerprint,
  trust: it.trust,
  scan_id: it.scanId,
  first_seen_at: it.firstSeenAt,
  last_seen_at: it.lastSeenAt,
  offered:
    it.offeredFingerprint === null
      ? null
      : { algorithm: it.offeredAlgorithm, fingerprint: it.offeredFingerprint, at: it.offeredAt },
})

const states = { known: '', waiting: '  WAITS FOR APPROVAL', refused: '  REFUSED' }

function hostKeyLine(it: PinnedKey): string {
  const line = `${it.id}  ${it.address} port ${it.port}  ${it.algorithm} ${it.fingerprint}${states[it.trust]}`
  return it.offeredFingerprint === null
    ? line
    : `${line}\n      CHANGED ${it.offeredAt}: shown was ${it.offeredAlgorithm} ${it.offeredFingerprint}`
}
