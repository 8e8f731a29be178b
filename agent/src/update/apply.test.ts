import { sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { thisMachine } from '../collecting/machine.ts'
import { FRESH } from '../state/agent-state.ts'
import { newKey } from '../wire/signature.ts'
import { SignedCalls } from '../wire/signed-calls.ts'
import { applyUpdate } from './apply.ts'

const DAY_SECONDS = 86_400
const [root, key] = [newKey(), newKey()]

const signedBy = ({ privateKey }: typeof root, message: string): string =>
  sign(null, Buffer.from(message), privateKey).toString('base64')

/** Without an archive for any host, which is found out once the signatures were checked. */
function releaseUntil(end: Date) {
  const [public_key, not_after] = [key.publicKey.toString('base64'), end.toISOString()]
  const manifest = JSON.stringify({ version: '999.0.0', not_before: '2026-01-01T00:00:00Z', files: {} })
  return {
    manifest: Buffer.from(manifest).toString('base64'),
    signature: signedBy(key, `rollcall-agent-release-1\n${manifest}`),
    key: {
      public_key,
      not_after,
      signature: signedBy(root, `rollcall-release-key-1\n${public_key}\n${not_after}`),
    },
  }
}

/** By a server whose clock differs so much from that of this host. */
function applied(endsInDays: number, clockOffsetDays: number): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const identity = { server: 'http://127.0.0.1:1', agentId: '', key: newKey() }
  const calls = new SignedCalls(folder, identity, { ...FRESH, clockOffset: clockOffsetDays * DAY_SECONDS })
  const release = releaseUntil(new Date(Date.now() + endsInDays * DAY_SECONDS * 1_000))
  const roots = [root.publicKey.toString('base64')]
  return applyUpdate({ folder, release, roots }, calls, thisMachine())
}

test('a release key that has ended by the clock of the host or of the server signs no update', async () => {
  await expect(applied(-1, -10)).rejects.toThrow('the key of the update has ended')
  await expect(applied(1, 10)).rejects.toThrow('the key of the update has ended')
  await expect(applied(1, 0)).rejects.toThrow('has no archive for')
})
