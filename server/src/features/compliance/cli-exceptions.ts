import type { Command, CommandInput } from '#platform/cli/command.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { asMember } from './cli-member.ts'
import { previewException, type ExceptionPreview } from './exceptions/exception-preview.ts'
import {
  exceptionStates,
  type Exception,
  type ExceptionState,
  type NewException,
} from './exceptions/exception.ts'
import { approveException, createException, endException, listExceptions } from './exceptions/exceptions.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const LISTED_MAX = 1_000

const target = {
  check: { value: 'ID', help: 'from this check, for every control that it counts for' },
  framework: { value: 'NAME', help: 'with --control: from this control alone, whichever checks judge it' },
  control: { value: 'ID', help: 'of --framework' },
  asset: { value: 'ID', help: 'of this asset; without --asset, --tag and --where of all that fail' },
  tag: { value: 'TAG', help: 'of the assets with this tag' },
  where: { value: 'CONDITION', help: 'of the assets for which it holds at the time' },
} as const

/** Looks through all of them where a state is named, for the newest may be of others. */
async function newestOf(ctx: Ctx, checkIds: string[] | null, state?: ExceptionState): Promise<Exception[]> {
  const found: Exception[] = []
  for (let offset = 0; found.length < LISTED_MAX; offset += LISTED_MAX) {
    const { items } = await listExceptions(ctx, { limit: LISTED_MAX, offset }, { checkIds })
    found.push(...items.filter((it) => state === undefined || it.state === state))
    if (items.length < LISTED_MAX) break
  }
  return found.slice(0, LISTED_MAX)
}

export const exceptionCommands: readonly Command[] = [
  {
    path: 'compliance exception list',
    options: {
      check: { value: 'ID', help: 'from this check alone' },
      state: { value: 'STATE', help: `one of ${exceptionStates.join(', ')}` },
    },
    tenant: true,
    help: 'exceptions from checks and controls, the newest first, up to 1,000',
    async run(ctx, { options }) {
      const state = stateIn(options['state'])
      const checkIds = options['check'] === undefined ? null : [String(options['check'])]
      const items = await newestOf(ctx, checkIds, state)
      return { json: items, text: items.map(lines).join('\n') || 'There are none.' }
    },
  },
  {
    path: 'compliance exception preview',
    options: target,
    tenant: true,
    help: 'how many failing assets an exception would cover, and which controls would change; writes nothing',
    async run(ctx, input) {
      const preview = await previewException(ctx, targetIn(input))
      return { json: preview, text: previewed(preview) }
    },
  },
  {
    path: 'compliance exception create',
    options: {
      ...target,
      reason: { value: 'TEXT', required: true, help: 'why it may fail' },
      until: { value: 'DAY', required: true, help: 'its last day, within a year: 2026-12-31; or an instant' },
      owner: { value: 'EMAIL', help: 'the member who answers for it; the one of --by unless given' },
      by: { value: 'EMAIL', required: true, help: 'the member who makes it' },
    },
    tenant: true,
    help: 'lets failures be for a time; what is excepted counts as a warning, never as a pass',
    async run(ctx, input) {
      const { reason, until, owner, by } = input.options
      return told(
        await createException(await asMember(ctx, by), {
          ...targetIn(input),
          reason: String(reason),
          expiresAt: endOf(String(until)),
          owner: owner === undefined ? undefined : String(owner),
        }),
      )
    },
  },
  {
    path: 'compliance exception approve',
    args: ['id'],
    options: { by: { value: 'EMAIL', required: true, help: 'a member other than the one who made it' } },
    tenant: true,
    help: 'puts a proposed exception in force',
    run: async (ctx, { args, options }) =>
      told(await approveException(await asMember(ctx, options['by']), args['id'] ?? '')),
  },
  {
    path: 'compliance exception end',
    args: ['id'],
    options: { reason: { value: 'TEXT', required: true, help: 'why it ends before its time' } },
    tenant: true,
    help: 'from now on the failures count again',
    run: async (ctx, { args, options }) =>
      told(await endException(ctx, args['id'] ?? '', String(options['reason']))),
  },
]

function targetIn({
  options: { check, framework, control, asset, tag, where },
}: CommandInput): Omit<NewException, 'reason' | 'owner' | 'expiresAt'> {
  const text = (it: string | true | undefined) => (it === undefined ? undefined : String(it))
  return {
    checkId: text(check),
    framework: text(framework),
    controlId: text(control),
    assetId: text(asset),
    tag: text(tag),
    where: text(where),
  }
}

/** Of a day, its end in UTC. */
function endOf(until: string): string {
  const isDay = DAY.test(until)
  const end = new Date(isDay ? `${until}T23:59:59.999Z` : until)
  const isThere = !Number.isNaN(end.getTime())
  // 31 February would be a day of March
  if (!isThere || (isDay && !end.toISOString().startsWith(until)))
    throw invalid('until', 'must be a day such as 2026-12-31, or an instant')
  return isDay ? end.toISOString() : until
}

function stateIn(option: string | true | undefined): Exception['state'] | undefined {
  if (option === undefined) return undefined
  const state = exceptionStates.find((it) => it === option)
  if (!state) throw invalid('state', `must be one of ${exceptionStates.join(', ')}`)
  return state
}

function lines(it: Exception): string {
  const of = it.assetName ?? it.assetId ?? (it.tag === null ? it.where : `tag ${it.tag}`) ?? 'all that fail'
  const end = it.endedAt === null ? `until ${it.expiresAt}` : `ended ${it.endedAt}: ${it.endedBecause}`
  return [
    `${it.id}  ${it.state.padEnd(8)}  ${it.title}: ${of}`,
    `    ${end}; ${it.ownerName === null ? 'nobody answers for it' : `${it.ownerName} answers for it`}: ${it.reason}`,
  ].join('\n')
}

const told = (it: Exception) => ({ json: it, text: lines(it) })

function previewed({ assets, failing, excepted, listed, controls }: ExceptionPreview): string {
  const already = excepted === 0 ? '' : `, ${excepted} of them under an exception already`
  return [
    `${assets === null ? '' : `Of ${assets} assets, `}${failing} fail${already}.`,
    ...listed.map(({ id, name }) => `  ${id}  ${name}`),
    ...(controls ?? []).map(
      ({ framework, controlId, before, after }) => `  ${framework} ${controlId}: ${before} -> ${after}`,
    ),
  ].join('\n')
}
