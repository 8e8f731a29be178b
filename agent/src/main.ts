import { parseArgs } from 'node:util'
import { thisMachine } from './collecting/machine.ts'
import { collect } from './collecting/collect.ts'
import { report } from './reporting.ts'
import { defaultFolder, forget, readIdentity, readProgress } from './state/agent-state.ts'
import { withRunLock } from './state/run-lock.ts'
import { VERSION } from './version.ts'

const USAGE = `rollcall-agent ${VERSION}

  enrol SERVER TOKEN   makes a key for this host and sends the first report
  run                  one report, if it is time for one; --now: in any case
  start                reports until it is stopped
  install              lets systemd, cron, launchd or the Task Scheduler start it from now on
  uninstall            takes that back
  status               when this host reports next
  show                 prints what would be reported, and sends nothing
  forget               removes the key: before the host leaves, or an image is made of it
  self-test            collects everything, sends nothing, and prints the version

  --state FOLDER       where key and progress stand, ${defaultFolder()} unless given
`
const CHECK_MS = 15_000

/** Where people read what was done, and what was not. */
export interface Output {
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
}

const terminal: Output = {
  print: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(`rollcall-agent: ${text}\n`),
}

/** The exit status: 0 done, 1 failed, 2 not understood. */
export async function main(args: readonly string[], output: Output = terminal): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        state: { type: 'string' },
        now: { type: 'boolean' },
        root: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    const [command = '', ...rest] = positionals
    const options = {
      folder: values.state ?? defaultFolder(),
      isNow: values.now === true,
      rest,
      root: values.root,
      output,
    }
    const run = commands[command]
    if (run && values.help !== true) return await run(options)
    output.print(USAGE)
    return command === '' || values.help === true ? 0 : 2
  } catch (error) {
    output.complain(error instanceof Error ? error.message : String(error))
    return 1
  }
}

interface Options {
  readonly folder: string
  readonly isNow: boolean
  readonly rest: readonly string[]
  readonly root: string | undefined
  readonly output: Output
}

const commands: Readonly<Record<string, (options: Options) => Promise<number>>> = {
  async enrol(options) {
    const { folder, rest, root, output } = options
    const [server = '', token = ''] = rest
    if (rest.length !== 2) throw new Error('enrol wants two words: the address of the server, and a token')
    const { enrol } = await import('./enrolment.ts')
    const done = await withRunLock(folder, () => enrol({ folder, server, token }, thisMachine(root)))
    if (!done) throw new Error('another rollcall-agent is running on this host')
    output.print(`Enrolled at ${done.server} as ${done.agentId}.\n`)
    if (done.isPending) {
      output.print('Somebody has to approve this host before its reports are taken.\n')
      return 0
    }
    return runRound({ ...options, isNow: true })
  },
  run: (options) => runRound(options),
  async start(options) {
    for (;;) {
      await runRound(options)
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
    }
  },
  async status({ folder, output }) {
    const identity = readIdentity(folder)
    if (!identity) throw new Error(NOT_ENROLLED)
    const { nextAt, failures } = readProgress(folder)
    const trouble = failures === 0 ? '' : `, after ${failures} reports that failed`
    output.print(
      `version ${VERSION}, ${identity.agentId} at ${identity.server}: next report ${new Date(nextAt).toISOString()}${trouble}\n`,
    )
    return 0
  },
  async install({ folder, root = '/', output }) {
    const { install } = await import('./scheduling/install.ts')
    const command = [process.execPath, ...process.execArgv, process.argv[1] ?? '', '--state', folder]
    output.print(`${await install({ command, stateFolder: folder, root }, thisMachine(root))}\n`)
    return 0
  },
  async uninstall({ root = '/', output }) {
    const { uninstall } = await import('./scheduling/install.ts')
    await uninstall({ root }, thisMachine(root))
    output.print('The agent is started no longer; its key stays until: rollcall-agent forget\n')
    return 0
  },
  async show({ root, output }) {
    output.print(`${JSON.stringify(await collect(thisMachine(root)), undefined, 2)}\n`)
    return 0
  },
  async 'self-test'({ root, output }) {
    await collect(thisMachine(root))
    output.print(`${VERSION}\n`)
    return 0
  },
  async forget({ folder, output }) {
    forget(folder)
    output.print('The key of this host is gone.\n')
    return 0
  },
}

const NOT_ENROLLED = 'this host is not enrolled: rollcall-agent enrol SERVER TOKEN'

async function runRound({ folder, isNow, root, output }: Options): Promise<number> {
  const identity = readIdentity(folder)
  if (!identity) throw new Error(NOT_ENROLLED)
  if (!isNow && Date.now() < readProgress(folder).nextAt) return 0
  const round = await withRunLock(folder, () => report(folder, identity, thisMachine(root)))
  if (!round) return 0
  for (const problem of round.problems) output.complain(problem)
  if (round.isAccepted) output.print(`Reported: ${round.message}.\n`)
  else output.complain(round.message)
  return round.isAccepted ? 0 : 1
}
