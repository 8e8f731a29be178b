import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '#features/assets/observation.ts'
import { inMemoryAccess } from '#test/support/app/in-memory-credentials.ts'
import {
  faultInjectingProxy,
  type FaultInjectingProxy,
  type ProxiedRequest,
  type RequestInterceptor,
} from '#test/support/http/fault-injecting-proxy.ts'
import { needs } from '#test/support/needs.ts'
import { tlsCertificateFor } from '#test/support/http/tls-certificates.ts'
import { vcsim, VCSIM_NEEDS, type Vcsim } from '#test/support/scanned-hosts/vcsim.ts'
import type { VSphere } from './credential-access.ts'
import { vmwareWithin, type VmwareLimits } from './vmware.ts'

const SECRET = 'secret'
const credentialFor = (port: number): VSphere => ({
  kind: 'vsphere',
  id: '1',
  name: 'reader',
  username: 'scan@vsphere.local',
  password: SECRET,
  port,
})

/** A page is a few objects, and patience is short. */
const LIMITS: VmwareLimits = {
  connectMs: 20_000,
  answerMs: 20_000,
  bodyBytesMax: 4 * 1024 * 1024,
  totalMs: 50_000,
  pageSize: 7,
  objectsMax: 1_000,
}
/** Where silence is the test. */
const HASTY: Partial<VmwareLimits> = { answerMs: 1_000, connectMs: 1_000 }

interface Scanned {
  readonly seen: readonly Observation[]
  /** Why it failed, if it did. */
  readonly failure: string
  readonly outcomes: readonly string[]
}

async function scan(
  port: number,
  more: Partial<VmwareLimits> = {},
  signal?: AbortSignal,
  access = inMemoryAccess(credentialFor(port)),
): Promise<Scanned> {
  const probe = vmwareWithin({ ...LIMITS, ...more })
  const options = { signal: signal ?? new AbortController().signal, now: () => new Date(0), access }
  const seen: Observation[] = []
  let failure = ''
  try {
    for await (const each of probe.run({ kind: 'host', host: '127.0.0.1' }, options)) seen.push(each)
  } catch (error) {
    failure = String(error)
  }
  expect(failure).not.toContain(SECRET)
  return { seen, failure, outcomes: access.uses.map(({ outcome }) => outcome) }
}

const methodOf = ({ body }: ProxiedRequest): string => /<(?:\w+:)?Body><(\w+)/.exec(body)?.[1] ?? ''
const wants = (passing: ProxiedRequest, type: string): boolean =>
  passing.body.includes(`<propSet><type>${type}</type>`)

const sends =
  (status: number, type: string, body: string | Buffer) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': type }).end(body)
const soap = (body: string) =>
  sends(
    200,
    'text/xml',
    `<?xml version="1.0"?><e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${body}</e:Body></e:Envelope>`,
  )

needs(...VCSIM_NEEDS, 'openssl')('a vCenter that', () => {
  let there: Vcsim
  const machines = 20
  beforeAll(async () => void (there = await vcsim('-machines', String(machines / 2))), 300_000)
  afterAll(() => there?.close())

  const between = async (whim: RequestInterceptor): Promise<FaultInjectingProxy> => {
    const man = await faultInjectingProxy(tlsCertificateFor('vcenter.example.test', 9), there.port, whim)
    onTestFinished(() => man.close())
    return man
  }
  /** Misbehaves when it is asked for the machines. */
  const atMachines = (act: (response: ServerResponse, passing: ProxiedRequest) => void, times = 1) => {
    let left = times
    return between((passing) =>
      wants(passing, 'VirtualMachine') && left-- > 0 ? (response) => act(response, passing) : undefined,
    )
  }
  const machinesIn = ({ seen }: Scanned): number =>
    seen.filter((it) => it.assetType === 'virtual_machine').length

  test('behaves: read in pages, and the session ended', async () => {
    const man = await between(() => undefined)
    const scanned = await scan(man.port)
    expect(scanned).toMatchObject({ failure: '', outcomes: ['accepted'] })
    expect(machinesIn(scanned)).toBe(machines)
    expect(man.seen.filter((it) => methodOf(it) === 'ContinueRetrievePropertiesEx').length).toBeGreaterThan(1)
    expect(methodOf(man.seen.at(-1) as ProxiedRequest)).toBe('Logout')
  })

  test('breaks a connection in the middle is asked again', async () => {
    const man = await atMachines((response) => response.destroy(), 2)
    const scanned = await scan(man.port)
    expect(scanned.failure).toBe('')
    expect(machinesIn(scanned)).toBe(machines)
  })

  test('truncates every response is given up, and what was read before is stored', async () => {
    const man = await atMachines((response) => {
      response.writeHead(200, { 'content-type': 'text/xml', 'content-length': '5000' }).write('<e:Envelope>')
      setImmediate(() => response.destroy())
    }, 100)
    const scanned = await scan(man.port)
    expect(scanned.failure).toMatch('broke the connection off in the middle of an answer')
    expect(scanned.seen.length).toBeGreaterThan(5)
    expect(methodOf(man.seen.at(-1) as ProxiedRequest)).toBe('Logout')
  })

  test('forgets where it was is read anew, and nothing is told twice', async () => {
    let forgets = 1
    const man = await between((passing) => {
      if (methodOf(passing) !== 'ContinueRetrievePropertiesEx' || forgets-- <= 0) return undefined
      return sends(
        500,
        'text/xml',
        '<e:Envelope xmlns:e="x"><e:Body><e:Fault><faultcode>c</faultcode><faultstring>gone</faultstring><detail><f xmlns:i="y" i:type="InvalidArgument"/></detail></e:Fault></e:Body></e:Envelope>',
      )
    })
    const scanned = await scan(man.port)
    expect(scanned.failure).toBe('')
    expect(new Set(scanned.seen.map((it) => it.sourceKey)).size).toBe(scanned.seen.length)
    expect(machinesIn(scanned)).toBe(machines)
  })

  test('gives the same page for ever is given up', async () => {
    const page = `<returnval><token>1</token><objects><obj type="Folder">f</obj></objects></returnval>`
    const man = await between((passing) =>
      methodOf(passing).endsWith('RetrievePropertiesEx')
        ? soap(`<${methodOf(passing)}Response xmlns="urn:vim25">${page}</${methodOf(passing)}Response>`)
        : undefined,
    )
    expect((await scan(man.port)).failure).toMatch('goes on sending pages without anything new')
  })

  test('never runs out of new objects is given up', async () => {
    const man = await between((passing) => {
      const object = (i: number): string =>
        `<objects><obj type="Folder">f${passing.before}-${i}</obj></objects>`
      const page = Array.from({ length: 100 }, (_, i) => object(i)).join('')
      return methodOf(passing).endsWith('RetrievePropertiesEx')
        ? soap(
            `<${methodOf(passing)}Response><returnval><token>1</token>${page}</returnval></${methodOf(passing)}Response>`,
          )
        : undefined
    })
    expect((await scan(man.port)).failure).toMatch('has more than 1000 objects of type Folder')
  })

  test('sends an answer without end is cut short', async () => {
    const man = await atMachines((response) => {
      response.writeHead(200, { 'content-type': 'text/xml' })
      const piece = Buffer.alloc(256 * 1024, 'x')
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', more).on('error', () => undefined)
      more()
    }, 100)
    expect((await scan(man.port)).failure).toMatch('sent an answer of more than 4 MiB')
  })

  test.each([
    ['<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>', 'XML with declarations'],
    ['<e:Envelope><e:Body><RetrievePropertiesExResponse>', 'is not well-formed SOAP'],
    [`${'<a>'.repeat(20_000)}`, 'is not well-formed SOAP'],
    [
      '<e:Envelope><e:Body><other/></e:Body></e:Envelope>',
      'answers RetrievePropertiesEx with something else',
    ],
    ['', 'is not well-formed SOAP'],
  ])('sends %.60s is not believed', async (body, why) => {
    const man = await atMachines(sends(200, 'text/xml', body), 100)
    expect((await scan(man.port)).failure).toMatch(why)
  })

  test.each([
    [200, 'text/html', 'answers HTTP 200, text/html'],
    [404, 'text/plain', 'answers HTTP 404'],
    [503, 'text/plain', 'is starting or overloaded'],
  ])('answers %i %s is no vCenter', async (status, type, why) => {
    const man = await between(() => sends(status, type, '<html>'))
    const scanned = await scan(man.port)
    expect(scanned).toMatchObject({ failure: expect.stringContaining(why), outcomes: ['unanswered'] })
    expect(man.seen.every(({ body }) => !body.includes('Login'))).toBe(true)
  })

  test('leads elsewhere is not followed', async () => {
    const elsewhere = await between(() => undefined)
    const man = await between(
      () => (response) =>
        response.writeHead(307, { location: `https://127.0.0.1:${elsewhere.port}/sdk` }).end(),
    )
    expect((await scan(man.port)).failure).toMatch('a redirect (HTTP 307)')
    expect(elsewhere.seen).toHaveLength(0)
  })

  test('says nothing is given up', async () => {
    const man = await between((passing) => (methodOf(passing) === 'Login' ? () => undefined : undefined))
    const scanned = await scan(man.port, HASTY)
    expect(scanned).toMatchObject({
      failure: expect.stringMatching(/fell silent for 1 s/),
      outcomes: ['unanswered'],
    })
  })

  test('is slow all the time is given up in the end', async () => {
    const man = await atMachines(() => undefined)
    expect((await scan(man.port, { totalMs: 3_000 })).failure).toMatch(/given up after .* the \d+ objects/)
  })

  test('hides properties and objects from the account is read without them', async () => {
    const hidden =
      '<missingSet><path>config.uuid</path><fault><fault/><localizedMessage/></fault></missingSet>'
    const man = await atMachines(
      soap(
        `<RetrievePropertiesExResponse xmlns="urn:vim25"><returnval><objects><obj type="VirtualMachine">vm-9</obj><propSet><name>name</name><val>hers</val></propSet>${hidden}</objects></returnval></RetrievePropertiesExResponse>`,
      ),
    )
    const { seen, failure } = await scan(man.port)
    expect(failure).toBe('')
    expect(seen.at(-1)).toMatchObject({ name: 'hers', identifiers: [], facts: { hidden: ['config.uuid'] } })
  })

  test('shows nothing to the account says so', async () => {
    const man = await between((passing) =>
      methodOf(passing) === 'CreateContainerView'
        ? sends(
            500,
            'text/xml',
            '<e:Envelope xmlns:e="x"><e:Body><e:Fault><faultstring>no</faultstring><detail><f xmlns:i="y" i:type="NoPermission"/></detail></e:Fault></e:Body></e:Envelope>',
          )
        : undefined,
    )
    expect((await scan(man.port)).failure).toMatch('give the account the role Read-only')
  })

  test('has another certificate than before gets no password', async () => {
    const man = await between(() => undefined)
    const access = inMemoryAccess(credentialFor(man.port))
    access.keys.set(`127.0.0.1 ${man.port} tls`, 'SHA256:another')
    expect((await scan(man.port, {}, undefined, access)).failure).toMatch(
      /TLS certificate of 127.0.0.1:\d+ has changed .* no password was sent/,
    )
    expect(man.seen).toHaveLength(0)
  })

  test('is scanned no more when the scan is cancelled, and the session ended', async () => {
    const stop = new AbortController()
    const man = await atMachines(() => stop.abort())
    const scanned = await scan(man.port, {}, stop.signal)
    expect(scanned.failure).toMatch('AbortError')
    expect(methodOf(man.seen.at(-1) as ProxiedRequest)).toBe('Logout')
  })
})
