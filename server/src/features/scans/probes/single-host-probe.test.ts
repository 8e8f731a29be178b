import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import type { Access } from './credential-access.ts'
import type { ProbeOptions, Progress, RawAnswer } from './probe.ts'
import { probeSingleHost, type SingleHostProbe } from './single-host-probe.ts'

const host = { kind: 'host', host: '127.0.0.1' } as const
const seen: Observation = { sourceKey: 'one', seenAt: new Date(0), identifiers: [] }

/** Of an access only whether there is one matters here. */
const options = (more: Partial<ProbeOptions> = {}): ProbeOptions => ({
  signal: new AbortController().signal,
  now: () => new Date(0),
  access: {} as Access,
  ...more,
})

const probe = (more: Partial<SingleHostProbe> = {}): SingleHostProbe => ({
  needs: 'store a login first',
  totalMs: 60_000,
  async *at() {
    yield await Promise.resolve(seen)
  },
  ...more,
})

async function all(run: AsyncIterable<Observation>): Promise<Observation[]> {
  const found: Observation[] = []
  for await (const it of run) found.push(it)
  return found
}

test('progress is none, and then one; what the host said is cut and stays well-formed', async () => {
  const told: (readonly [number, number])[] = []
  const raw: RawAnswer[] = []
  const onProgress = ({ done, found }: Progress) => void told.push([done, found])
  const at: SingleHostProbe['at'] = async function* ({ address, name, onRaw }) {
    onRaw('uname', `${'x'.repeat(65_535)}💡`)
    yield await Promise.resolve({ ...seen, name: `${name} at ${address}` })
  }
  const run = probeSingleHost(
    { ...host, name: 'printer' },
    options({ onProgress, onRaw: (it) => void raw.push(it) }),
    probe({ at }),
  )
  expect(await all(run)).toMatchObject([{ name: 'printer at 127.0.0.1' }])
  expect(told).toEqual([
    [0, 0],
    [1, 1],
  ])
  expect(raw).toEqual([{ address: '127.0.0.1', part: 'uname', text: `${'x'.repeat(65_535)}\ufffd` }])
})

test('a range, and a host without a login, are refused in words', async () => {
  const networks = { kind: 'cidr', cidr: '127.0.0.0/30' } as const
  await expect(all(probeSingleHost(networks, options(), probe()))).rejects.toThrow('one host')
  const { access: _, ...without } = options()
  await expect(all(probeSingleHost(host, without, probe()))).rejects.toThrow('store a login first')
})

test('what takes too long is given up, and what is told until then is kept; who stops it is not told so', async () => {
  const stuck: SingleHostProbe['at'] = async function* ({ signal }) {
    yield seen
    if (!signal.aborted) await once(signal, 'abort')
    signal.throwIfAborted()
  }
  const kept: Observation[] = []
  const late = async () => {
    for await (const it of probeSingleHost(host, options(), probe({ at: stuck, totalMs: 30 }))) kept.push(it)
  }
  await expect(late()).rejects.toThrow(/^given up after .* the 1 objects that 127\.0\.0\.1 had told/)
  expect(kept).toEqual([seen])
  const stopped = AbortSignal.abort(new Error('cancelled by a person'))
  const run = probeSingleHost(host, options({ signal: stopped }), probe({ at: stuck }))
  await expect(all(run)).rejects.toThrow('cancelled by a person')
})
