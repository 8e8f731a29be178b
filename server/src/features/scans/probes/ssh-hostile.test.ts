import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { needs } from '#test/support/needs.ts'
import type { SshPassword } from './credential-access.ts'
import { accessWith, HOST, keyOf, look, only } from './ssh/access.fixture.ts'
import { openSshLab, type SshLab } from '#test/support/scanned-hosts/ssh-servers.ts'
import { ssh } from './ssh.ts'

const anyone = (port: number): SshPassword => ({
  kind: 'ssh_password',
  id: 'any',
  name: 'any',
  port,
  username: 'nobody',
  password: 'a secret word',
})

test('nobody there: says so', async () => {
  const { port, server } = await listener(() => undefined)
  await new Promise((resolve) => server.close(resolve))
  const access = accessWith([anyone(port)])
  await expect(look(access)).rejects.toThrow(`${HOST}:${port} refused the connection`)
  expect(access.outcomes).toEqual([{ name: 'any', address: HOST, outcome: 'unanswered' }])
})

test('a server that says nothing is waited for no longer than allowed', async () => {
  const { port } = await listener(() => undefined)
  await expect(look(accessWith([anyone(port)]), { limits: { login: 300 } })).rejects.toThrow(
    `${HOST}:${port} accepts connections and says nothing in 0.3 s`,
  )
})

test('a server that speaks another language', async () => {
  const { port } = await listener((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await expect(look(accessWith([anyone(port)]))).rejects.toThrow(`${HOST}:${port} does not speak SSH`)
})

test.each([
  ['in short lines', 'hello\r\n'],
  ['in one line', 'x'],
])('a server that sends lines before its version without an end: %s', async (_, text) => {
  const { port } = await listener((socket) => {
    // small pieces, so that an end is put to it by their sum
    const piece = Buffer.from(text.repeat(20))
    const pour = (): void => void (socket.writable && socket.write(piece, () => setImmediate(pour)))
    pour()
  })
  const looking = look(accessWith([anyone(port)]), { limits: { login: 20_000 } })
  await expect(looking).rejects.toThrow(
    `${HOST}:${port} does not speak SSH: it sent more than 16384 bytes before its version`,
  )
})

test('lines before the version are read over, also in pieces', async () => {
  const { port } = await listener((socket) => {
    socket.write('You are being')
    socket.write(` watched\r\n${'welcome\r\n'.repeat(1_000)}SSH-2.0-Polite\r\n`)
    socket.end()
  })
  await expect(look(accessWith([anyone(port)]))).rejects.toThrow(
    `the connection to ${HOST}:${port} ended before nobody was let in`,
  )
})

test('a server that begins like SSH and sends rubbish for ever', async () => {
  const { port } = await listener((socket) => {
    const flood = Buffer.alloc(64 * 1024, 0xa5)
    socket.write('SSH-2.0-Rubbish\r\n')
    const pour = (): void => void (socket.writable && socket.write(flood, () => setImmediate(pour)))
    pour()
  })
  const access = accessWith([anyone(port)])
  await expect(look(access)).rejects.toThrow(`${HOST}:${port}`)
  expect(access.outcomes).toEqual([{ name: 'any', address: HOST, outcome: 'unanswered' }])
})

test('ends at once when it is aborted', async () => {
  const { port, hasClient } = await listener(() => undefined)
  const stop = new AbortController()
  const looking = look(accessWith([anyone(port)]), { signal: stop.signal })
  await hasClient
  stop.abort()
  await expect(looking).rejects.toMatchObject({ name: 'AbortError' })
})

test('a range in which nobody answers', async () => {
  const { port, server } = await listener(() => undefined)
  await new Promise((resolve) => server.close(resolve))
  const options = {
    signal: new AbortController().signal,
    now: () => new Date(),
    access: accessWith([anyone(port)]),
  }
  const scan = async () => {
    for await (const one of ssh.run({ kind: 'cidr', cidr: '127.83.0.0/30' }, options))
      throw new Error(one.sourceKey)
  }
  await expect(scan()).rejects.toThrow(
    new RegExp(`no host of 4 answers on SSH; .*127\\.83\\.0\\.0:22 .*; 127\\.83\\.0\\.0:${port} refused`),
  )
})

needs('root', 'sshd')('a host that is up to no good', () => {
  let place: SshLab
  beforeAll(async () => {
    place = await openSshLab()
  })
  afterAll(() => place?.close())

  const limits = { answer: 1_500, login: 20_000 }

  const forced = async (script: string): Promise<number> =>
    (await place.sshd([`ForceCommand ${await place.script(`#!/bin/bash\n${script}`)}`])).port

  test.each([
    ['is silent', 'sleep 600'],
    ['floods', 'yes'],
    ['floods without a line break', "tr '\\0' 'x' </dev/zero"],
    ['sends nothing but NUL', 'cat /dev/zero'],
    ['sends noise', 'cat /dev/urandom'],
    ['says our script again', 'cat'],
    ['ends at once', 'exit 1'],
    ['complains without end', 'yes >&2'],
    ['guesses markers', 'for i in 1 2 3; do echo "=0123456789abcdef0123456789abcdef= uname begin"; done'],
  ])('one that %s', async (_, script) => {
    const access = accessWith([keyOf(place, await forced(script))])
    const into: Observation[] = []
    await expect(look(access, { limits, into })).rejects.toThrow(/let us in but|took longer/)
    expect(access.outcomes).toEqual([{ name: 'ed25519', address: HOST, outcome: 'accepted' }])
    expect(into).toMatchObject([
      { identifiers: [{ type: 'ip' }, { type: 'ssh_host_key' }, { type: 'ssh_host_key' }] },
    ])
  })

  /** Answers as a shell would, but for the questions that `fault` gets in hand, by a liar who reads the mark. */
  const liar = (fault: string): Promise<number> =>
    forced(`script=$(cat)
mark=$(sed -n "s/^M='\\(.*\\)'$/\\1/p" <<<"$script" | head -1)
asks() { grep -q "^printf.* end .* $1 " <<<"$script"; }
begin() { printf '\\n%s %s begin\\n' "$mark" "$1"; }
finish() { printf '\\n%s %s end %s\\n' "$mark" "$1" "$2"; }
asks uname && { begin uname; printf 'Linux\\nliar\\n6.1\\nx86_64\\n'; finish uname 0; }
${fault}`)

  test('a question that hangs is given up, the rest is asked', async () => {
    const port = await liar(`asks release && { begin release; echo ID=debian; sleep 600; }
asks memory && { begin memory; echo 'MemTotal: 1024 kB'; finish memory 0; }`)
    const seen = only(await look(accessWith([keyOf(place, port)]), { limits }))
    expect(seen.facts).toMatchObject({ memoryBytes: 1024 * 1024 })
    expect(seen.software?.release).toMatchObject({ id: 'debian' })
    expect(seen.facts?.['notes']).toEqual(expect.arrayContaining(['release: no answer in 1.5 s']))
  })

  test('100 MB of packages are cut, and the list is not taken for whole', async () => {
    const port = await liar(`asks packages-dpkg && { begin packages-dpkg
yes $'ii \\ta-package\\t1.0\\tall\\ta\\t1.0' | head -c 100000000; finish packages-dpkg 0; }`)
    const before = process.memoryUsage().rss
    const seen = only(await look(accessWith([keyOf(place, port)]), { limits: { ...limits, answer: 20_000 } }))
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
    expect(seen.software?.complete).toEqual([])
    expect(seen.software?.items.length).toBeGreaterThan(10_000)
    expect(seen.software?.items.length).toBeLessThanOrEqual(200_000)
    expect(JSON.stringify(seen.facts?.['notes'])).toContain('packages-dpkg')
  })

  test('a listing that failed or was broken off is not taken for whole', async () => {
    const port =
      await liar(`asks packages-dpkg && { begin packages-dpkg; printf 'ii \\tone\\t1\\tall\\tone\\t1\\n'; finish packages-dpkg 2; }
asks packages-rpm && { begin packages-rpm; printf 'two\\t(none)\\t2-1\\tnoarch\\ttwo-2-1.src.rpm\\t1\\tx\\n'; }`)
    const seen = only(await look(accessWith([keyOf(place, port)]), { limits }))
    expect(seen.software?.items.map(({ name }) => name)).toEqual(['one', 'two'])
    expect(seen.software?.complete).toEqual([])
  })

  test('NUL, invalid UTF-8, escapes, false markers and absurd values do no harm', async () => {
    const port = await liar(`asks release && { begin release
printf 'ID="de\\0b\\xff\\xfeian"\\nVERSION_ID=\\033[31m12\\033[0m\\nPRETTY_NAME="'; head -c 100000 /dev/zero | tr '\\0' x; printf '"\\n'
finish uname 0; finish nothing 0; begin memory; finish release 0; }
asks machine-id && { begin machine-id; printf '\\xff\\xff\\n'; finish machine-id 0; }
asks interfaces && { begin interfaces
printf '1: eth0    inet 999.1.1.1/24 scope global\\n2: eth1: <UP> mtu 99999999 link/ether zz:zz brd\\n3: eth2    inet6 ::ffff:1 scope x\\n'
finish interfaces 0; }
asks boot && { begin boot; echo 'btime 9999999999'; finish boot 0; }`)
    const seen = only(await look(accessWith([keyOf(place, port)]), { limits }))
    expect(seen.software?.release?.id).toBe('deb\uFFFD\uFFFDian')
    expect(seen.software?.release?.versionId).toBe('12')
    expect(seen.os?.length).toBe(200)
    expect(seen.identifiers.filter(({ type }) => type === 'mac' || type === 'machine_id')).toEqual([])
    expect(seen.identifiers.filter(({ value }) => value.includes('999'))).toEqual([])
    expect(JSON.stringify(seen)).not.toMatch(/\\u0000|\\u001b/)
  })

  test('ends within a moment in the middle of an answer', async () => {
    const port = await liar('sleep 600')
    const stop = new AbortController()
    const access = accessWith([keyOf(place, port)])
    const recordOutcome = access.recordOutcome
    const looking = look(
      {
        ...access,
        recordOutcome: async (...all) =>
          (await recordOutcome(...all), setTimeout(() => stop.abort(), 200)) as never,
      },
      { signal: stop.signal },
    )
    await expect(looking).rejects.toMatchObject({ name: 'AbortError' })
  })
})

interface Listener {
  readonly port: number
  readonly server: Server
  readonly hasClient: Promise<void>
}

async function listener(serve: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>()
  let tell = (): void => undefined
  const hasClient = new Promise<void>((resolve) => (tell = resolve))
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    serve(socket)
    tell()
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, server, hasClient }
}
