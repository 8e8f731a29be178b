import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { agentFiles } from '../packages/agent-files.ts'
import { TAR_END, tarHeader, tarPadding } from '#platform/archives/tar-entry.ts'
import * as store from './release-store.ts'
import {
  certified,
  newSigningKey,
  signedRelease,
  type SignedRelease,
  type SigningKey,
} from './signed-release.ts'

/** A root and a release key of a test, and what they sign. */
export function newSigner() {
  const [root, key] = [newSigningKey(), newSigningKey()]
  const certificate = certified(key, root, new Date(Date.now() + 86_400_000))
  const sign = (version: string, archive: Buffer, signer: SigningKey = key): SignedRelease =>
    signedRelease(
      {
        version,
        min_server: '0.1.0',
        not_before: '2026-01-01T00:00:00.000Z',
        files: { any: { sha256: createHash('sha256').update(archive).digest('hex'), size: archive.length } },
      },
      signer,
      certificate,
    )
  return { root: root.public_key, sign }
}

/** The agent of this checkout as another version that obeys `root`; `changes` replaces files by others. */
const filesOf = (version: string, root: string, changes: Readonly<Record<string, string>> = {}) =>
  agentFiles().map((file) => {
    const name = file.path.replace(/^lib\//, '')
    const text = file.content.toString('utf8')
    const replaced: Readonly<Record<string, string>> = {
      'package.json': text.replace(/"version": "[^"]+"/, `"version": "${version}"`),
      'release-roots.json': JSON.stringify([root]),
      ...changes,
    }
    return Object.hasOwn(replaced, name) ? { ...file, content: Buffer.from(replaced[name] ?? '') } : file
  })

export function archiveOf(
  version: string,
  root: string,
  changes: Readonly<Record<string, string>> = {},
): Buffer {
  const entries = filesOf(version, root, changes).flatMap(({ path, content, isProgram }) => [
    tarHeader({ path: `rollcall-agent/${path}`, size: content.length, isProgram }),
    content,
    tarPadding(content.length),
  ])
  return gzipSync(Buffer.concat([...entries, TAR_END]))
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A host with an installed agent of version 0.1.0 that obeys `root`, run as a process of its own. */
export function newInstalledHost(root: string) {
  const folder = newFolder()
  for (const { path, content } of filesOf('0.1.0', root)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const state = join(folder, 'state')
  mkdirSync(join(folder, 'root'))
  const program = join(folder, 'lib/bin/rollcall-agent.mjs')
  const run = (...words: string[]): Promise<string> =>
    new Promise((resolve) => {
      const args = [program, ...words, '--state', state, '--root', join(folder, 'root')]
      execFile(process.execPath, args, (_, out, err) => resolve(out + err))
    })
  return { state, run }
}

/** As the server has it after an attacker has had its database: without the checks of `addRelease`. */
export async function planted(
  system: Ctx,
  version: string,
  release: SignedRelease,
  archive: Buffer,
): Promise<void> {
  await store.add(system, version, release)
  await store.addPart(system, { version, platform: 'any', n: 0 }, archive)
  await store.setRollout(system, version, 100)
}
