import { access, constants, mkdir, readFile, stat, statfs } from 'node:fs/promises'
import { getServers } from 'node:dns'
import { join } from 'node:path'
import { triedFonts } from '#features/reports/printing/tried-fonts.ts'
import { echoProgram } from '#features/scans/probes/sweep/icmp-echo.ts'
import { executableFolders, type Config } from '../config.ts'
import { fail, ok, warn, type Check } from './check.ts'

const GB = 1024 ** 3
const DISK_LEAST = GB
const DISK_COMFORTABLE = 5 * GB
const OTHERS = 0o077
const ECHO_MS = 5_000

/** The checks that need no database. */
export async function machineChecks(config: Config): Promise<Check[]> {
  const folder = await dataFolder(config)
  return [
    ok('node', process.version),
    folder,
    ...(folder.state === 'fail' ? [] : [await freeDisk(config), ...(await secretFiles(config))]),
    nameServers(),
    await echo(),
    await neighbours(),
    privateReceivers(config),
    ...(await reportFonts(config)),
  ]
}

async function dataFolder({ dataDir }: Config): Promise<Check> {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok('data folder', dataDir)
  } catch (error) {
    const advice = 'Give the user that runs the server the folder, or set DATA_DIR to another.'
    return fail('data folder', (error as Error).message, advice)
  }
}

async function freeDisk({ dataDir }: Config): Promise<Check> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const message = `${(free / GB).toFixed(1)} GB free`
  const advice = `A million assets need about ${DISK_COMFORTABLE / GB} GB. Make room, or set DATA_DIR to another disk.`
  if (free < DISK_LEAST) return fail('disk', message, advice)
  return free < DISK_COMFORTABLE ? warn('disk', message, advice) : ok('disk', message)
}

async function secretFiles({ dataDir }: Config): Promise<Check[]> {
  const checks = ['secret.key', 'postgres.password'].map(async (name): Promise<Check[]> => {
    const file = join(dataDir, name)
    const found = await stat(file).catch(() => undefined)
    if (!found) return []
    const isOpen = (found.mode & OTHERS) !== 0
    return [isOpen ? fail(name, 'others may read it', `chmod 600 '${file}'`) : ok(name, 'for its owner only')]
  })
  return (await Promise.all(checks)).flat()
}

function nameServers(): Check {
  const servers = getServers()
  return servers.length > 0
    ? ok('dns', servers.join(', '))
    : warn('dns', 'no name server is configured', 'Webhooks to host names need one: see /etc/resolv.conf.')
}

/** ICMP needs a capability that few processes have (CAP_NET_RAW); `fping` and `ping` are installed with it. */
async function echo(): Promise<Check> {
  const program = await echoProgram(AbortSignal.timeout(ECHO_MS))
  if (program) return ok('echo', `sweeps ask with ${program}`)
  const silenced = (await isInstalled('fping')) ? 'fping' : (await isInstalled('ping')) ? 'ping' : undefined
  return silenced
    ? warn(
        'echo',
        `${silenced} is installed, and may not ask`,
        'Sweeps find hosts by TCP alone. Give it CAP_NET_RAW; in a container without capabilities, a copy of it without any and net.ipv4.ping_group_range.',
      )
    : warn(
        'echo',
        'neither fping nor ping',
        'Sweeps find hosts by TCP alone; install fping to find the silent.',
      )
}

async function neighbours(): Promise<Check> {
  if (await isInstalled('ip')) return ok('neighbours', 'hardware addresses from ip')
  const arp = await readFile('/proc/net/arp', 'utf8').catch(() => undefined)
  return arp
    ? ok('neighbours', 'hardware addresses from /proc/net/arp')
    : warn('neighbours', 'no neighbour table', 'Sweeps find no hardware addresses; install iproute2.')
}

/** The settings were parsed before; the exceptions are listed because they open private addresses. */
function privateReceivers({ webhookAllowPrivate }: Config): Check {
  return ok(
    'receivers',
    webhookAllowPrivate.length > 0 ? webhookAllowPrivate.join(', ') : 'public addresses only',
  )
}

/** Opens each, as reports do: those that cannot be used are passed over there. */
export async function reportFonts({ reportFonts: folder }: Pick<Config, 'reportFonts'>): Promise<Check[]> {
  if (folder === undefined) return []
  try {
    const { usable, passedOver } = await triedFonts(folder)
    const found = usable.length > 0 ? usable.join(', ') : `${folder} has none that can be used`
    if (passedOver.length === 0 && usable.length > 0) return [ok('report fonts', found)]
    const message = passedOver.length === 0 ? found : `${found}; passed over: ${passedOver.join(', ')}`
    const advice = 'Put whole .ttf, .otf or .ttc files with outlines there, or unset REPORT_FONTS.'
    return [warn('report fonts', message, advice)]
  } catch (error) {
    const advice = 'Let the user that runs the server read the folder of REPORT_FONTS.'
    return [fail('report fonts', (error as Error).message, advice)]
  }
}

async function isInstalled(program: string): Promise<boolean> {
  const tries = executableFolders().map((folder) => access(join(folder, program), constants.X_OK))
  return (await Promise.allSettled(tries)).some((it) => it.status === 'fulfilled')
}
