import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ssh2, { type Connection, type ServerChannel } from 'ssh2'
import { expect, onTestFinished, test } from 'vitest'
import type { SshPassword } from './credential-access.ts'
import { accessWith, HOST, look, only } from './ssh/access.fixture.ts'

/**
 * No network device can run here: these are servers of our own that behave as the makers' manuals say. They refuse
 * what such devices refuse, echo what is typed, and stop at every page.
 */
interface Behaviour {
  readonly ident: string
  readonly prompt: string
  /** Before the first prompt. */
  readonly greeting?: string
  readonly answers: Readonly<Record<string, string>>
  /** Of a command that it does not know. */
  readonly unknown: string
  /** What a terminal stops at, and how it wipes that. */
  readonly pager?: { readonly text: string; readonly wipe: string; readonly lines: number }
  /** `disconnects`: as IOS does at a command that is none of its own. */
  readonly exec: 'disconnects' | 'refuses' | 'answers'
}

const CISCO = `Cisco IOS Software, C2960 Software (C2960-LANBASEK9-M), Version 12.2(55)SE7, RELEASE SOFTWARE (fc1)
ROM: Bootstrap program is C2960 boot loader
access-1 uptime is 1 year, 2 weeks, 5 days, 31 minutes
cisco WS-C2960-24TT-L (PowerPC405) processor (revision B0) with 65536K bytes of memory.
Processor board ID FOC1010X104
Base ethernet MAC Address       : 00:1B:54:AA:BB:00
System serial number            : FOC1010X105`

test.each(['SSH-2.0-Cisco-1.25', 'SSH-2.0-OpenSSH_7.4'])('a switch that calls itself %s', async (ident) => {
  const port = await device({
    ident,
    prompt: 'access-1>',
    greeting: '\r\nUnauthorized access is prohibited!\r\n\r\n',
    answers: { 'show version': CISCO, 'show inventory': '' },
    unknown: "                ^\r\n% Invalid input detected at '^' marker.\r\n",
    pager: { text: ' --More-- ', wipe: '\b\b\b\b\b\b\b\b\b\b          \b\b\b\b\b\b\b\b\b\b', lines: 3 },
    exec: 'disconnects',
  })
  const access = accessWith([credential(port)])
  const seen = only(await look(access))
  expect(seen).toMatchObject({
    assetType: 'device',
    name: 'access-1',
    vendor: 'Cisco',
    model: 'WS-C2960-24TT-L',
    os: 'Cisco IOS 12.2(55)SE7',
  })
  expect(seen.identifiers.slice(2)).toEqual([
    { type: 'serial', value: 'FOC1010X105' },
    { type: 'hostname', value: 'access-1' },
    { type: 'mac', value: '00:1b:54:aa:bb:00' },
  ])
  expect(access.outcomes).toEqual([{ name: 'any', address: HOST, outcome: 'accepted' }])
})

test('a switch that waits for any key', async () => {
  const port = await device({
    ident: 'SSH-2.0-Mocana SSH 6.3',
    prompt: '\u001b[24;1Hlab-sw-01# \u001b[24;12H\u001b[?25h',
    greeting: 'HP J9776A 2530-24G Switch\r\n\u001b[1;24r\u001b[24;1HPress any key to continue',
    answers: {
      'show version':
        'Image stamp:    /ws/swbuildm/rel_yakima_qaoff\n                YA.16.02.0012\n                253',
      'show system':
        '  System Name        : lab-sw-01\n  Software revision  : YA.16.02.0012\n  Base MAC Addr      : 9457a5-8b4c80\n  Serial Number      : CN51FP80KR',
      'show modules': '  Chassis: 2530-24G  J9776A         Serial number:   CN51FP80KR',
    },
    unknown: 'Invalid input\r\n',
    exec: 'refuses',
  })
  expect(only(await look(accessWith([credential(port)])))).toMatchObject({
    vendor: 'HP',
    model: '2530-24G J9776A',
    os: 'ProCurve YA.16.02.0012',
    name: 'lab-sw-01',
  })
})

test('a router that knows other words', async () => {
  const port = await device({
    ident: 'SSH-2.0-ROSSSH',
    prompt: '[admin@rt-office] > ',
    answers: {
      '/system resource print':
        '                  version: 6.48.6 (stable)\n               board-name: hEX\n                 platform: MikroTik',
      '/system routerboard print': '     serial-number: 5D48047C4E1F',
      '/system identity print': '  name: rt-office',
    },
    unknown: 'bad command name (line 1 column 1)\r\n',
    exec: 'refuses',
  })
  expect(only(await look(accessWith([credential(port)])))).toMatchObject({
    vendor: 'MikroTik',
    model: 'hEX',
    name: 'rt-office',
  })
})

test('a device that answers nothing that is known', async () => {
  const port = await device({
    ident: 'SSH-2.0-Thing_1',
    prompt: 'thing$ ',
    answers: {},
    unknown: 'what?\r\n',
    exec: 'answers',
  })
  await expect(look(accessWith([credential(port)]))).rejects.toThrow(
    /let us in but answers nothing that is known \(thing\$\)/,
  )
})

const credential = (port: number): SshPassword => ({
  kind: 'ssh_password',
  id: 'any',
  name: 'any',
  port,
  username: 'admin',
  password: 'a secret word',
})

async function device(behaviour: Behaviour): Promise<number> {
  const { private: key } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
  const clients = new Set<Connection>()
  const server = new ssh2.Server(
    { hostKeys: [key], ident: behaviour.ident.replace('SSH-2.0-', '') },
    (client) => {
      clients.add(client)
      client.on('error', () => undefined)
      client.on('authentication', (login) =>
        login.method === 'password' && login.password === 'a secret word'
          ? login.accept()
          : login.reject(['password']),
      )
      client.on('ready', () => client.on('session', (accept) => serve(accept(), client, behaviour)))
    },
  )
  server.listen(0, HOST)
  await once(server, 'listening')
  onTestFinished(() => {
    for (const client of clients) client.end()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function serve(session: ssh2.Session, client: Connection, behaviour: Behaviour): void {
  session.on('pty', (accept) => accept())
  session.on('shell', (accept) => terminal(accept(), behaviour))
  session.on('exec', (accept, reject) => {
    if (behaviour.exec === 'refuses') return reject()
    const channel = accept()
    channel.write('Line has invalid autocommand')
    if (behaviour.exec === 'disconnects') return client.end()
    channel.exit(1)
    channel.end()
  })
}

function terminal(
  channel: ServerChannel,
  { prompt, greeting = '', answers, unknown, pager }: Behaviour,
): void {
  let typed = ''
  let waiting: string[] = []
  const page = (): void => {
    const lines = waiting.splice(0, pager?.lines ?? waiting.length)
    channel.write(lines.map((line) => `${line}\r\n`).join(''))
    channel.write(waiting.length > 0 ? (pager?.text ?? '') : `\r\n${prompt}`)
  }
  const waitsForKey = { is: /any key/.test(greeting) }
  channel.write(waitsForKey.is ? greeting : `${greeting}${prompt}`)
  channel.on('data', (bytes: Buffer) => {
    for (const letter of bytes.toString()) {
      if (waitsForKey.is) {
        waitsForKey.is = false
        channel.write(`\r\n${prompt}`)
      } else if (waiting.length > 0) {
        channel.write(pager?.wipe ?? '')
        page()
      } else if (letter === '\n') {
        channel.write('\r\n')
        const answer = answers[typed]
        typed = ''
        if (answer === undefined) channel.write(`${unknown}${prompt}`)
        else {
          waiting = answer.split('\n')
          page()
        }
      } else {
        typed += letter
        channel.write(letter)
      }
    }
  })
}
