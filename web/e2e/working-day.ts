import type { App } from './app.ts'
import { bringFindings, PARTS } from './findings.ts'
import { askGraphql } from './graphql.ts'

// An estate with what a working day asks about: 60 machines of an office, of which the last is a printer with open
// ports; a sweep of the wrong network; two Windows servers, one with a critical finding, one unseen for 40 days.

export const OFFICE = 60
export const WRONG = 32
const DAY_MS = 86_400_000

/** The name of one machine of the office. */
export const officeName = (at: number): string => `pc-${String(at).padStart(2, '0')}`

export async function bringWorkingDay(app: App): Promise<void> {
  const page = await app.enter('/')
  await app.rollcall('import', await app.file('office.csv', office()))
  await app.rollcall('import', await app.file('servers.csv', servers()))
  await app.rollcall('import', await app.file('sweep.xml', sweep()))
  await bringFindings(app, page, PARTS)
  const { errors } = await askGraphql(
    page,
    `mutation {
      setOverridesNeedApproval(needed: true)
      createTarget(name: "Loopback", entries: ["127.0.0.0/30"]) { id }
      createRole(name: "Lobby", where: "tag = lobby", permissions: ["assets:read"]) { id }
    }`,
  )
  if (errors) throw new Error(JSON.stringify(errors))
  await page.context().close()
}

function office(): string {
  const lines = Array.from({ length: OFFICE }, (_, at) => {
    const two = String(at).padStart(2, '0')
    return `${officeName(at)},10.1.0.${at + 1},Debian 12,SN-40${two},00:1b:21:00:00:${two},office`
  })
  return ['name,ipAddress,os,serial,macAddress,tags', ...lines].join('\n')
}

function servers(): string {
  const before = new Date(Date.now() - 40 * DAY_MS).toISOString()
  return [
    'name,hostname,ipAddress,os,serial,tags,lastSeen',
    `depot-1,depot-1,10.2.0.1,Windows Server 2019,SN-5001,depot,${new Date().toISOString()}`,
    `files-1,files-1,10.2.0.2,Windows Server 2019,SN-5002,depot,${before}`,
  ].join('\n')
}

/** Of the wrong network, and of a printer. */
function sweep(): string {
  const seconds = Math.floor(Date.now() / 1_000) - 60
  const host = (address: string, more = '') =>
    `<host starttime="${seconds}" endtime="${seconds}"><status state="up" reason="syn-ack"/>
      <address addr="${address}" addrtype="ipv4"/>${more}</host>`
  const wrong = Array.from({ length: WRONG }, (_, at) => host(`10.66.0.${at}`))
  return `<?xml version="1.0"?><nmaprun scanner="nmap" start="${seconds}" version="7.95">
    ${wrong.join('')}${host('10.3.0.9', PRINTER)}</nmaprun>`
}

const PRINTER = `<address addr="00:17:c8:10:20:30" addrtype="mac"/><hostnames><hostname name="lobby-printer" type="user"/></hostnames>
  <ports><port protocol="tcp" portid="9100"><state state="open"/><service name="jetdirect"/></port>
  <port protocol="tcp" portid="443"><state state="open"/><service name="https" product="Embedded Web" version="3.1"/></port></ports>`
