import { benchCommands } from './bench-commands.ts'
import type { MaintenanceCommand } from './maintenance-command.ts'
import { invalid } from '#platform/errors.ts'

// Each loads what it needs when it is called: the command line answers faster without a web server in its memory.
export const maintenanceCommands: readonly MaintenanceCommand[] = [
  {
    path: 'serve',
    help: 'runs the server until Ctrl-C',
    async runStandalone(readConfig, _, print) {
      const { serve } = await import('../serve.ts')
      await serve(readConfig(), print)
      return undefined
    },
  },
  {
    path: 'migrate',
    help: 'brings the database up to date; serve does it by itself',
    async runStandalone(readConfig) {
      const { migrateNow } = await import('./migrate.ts')
      const applied = await migrateNow(readConfig())
      return {
        json: { applied },
        text: applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.',
      }
    },
  },
  {
    path: 'rekey',
    options: { 'new-key-file': { value: 'FILE', required: true, help: 'holds the new SECRET_KEY' } },
    help: 'seals all stored secrets with another SECRET_KEY, while no server runs',
    async runStandalone(readConfig, { options }) {
      const { rekey } = await import('./rekey.ts')
      return rekey(readConfig(), String(options['new-key-file']))
    },
  },
  {
    path: 'backup',
    args: ['target'],
    options: { keep: { value: 'N', help: 'in a folder, removes all but the newest N backups' } },
    help: 'writes all data to a file, or to a new file in a folder, while the server runs; reads it again',
    async runStandalone(readConfig, { args, options }) {
      const { backup } = await import('./backup.ts')
      return backup(readConfig(), args['target'] ?? '', options['keep'])
    },
  },
  {
    path: 'backup-base',
    help: 'copies the running embedded database to WAL_ARCHIVE; restore --to goes forward from there',
    async runStandalone(readConfig) {
      const { backupBase } = await import('./backup-base.ts')
      return backupBase(readConfig())
    },
  },
  {
    path: 'restore',
    args: ['file'],
    options: {
      'key-file': {
        value: 'FILE',
        help: 'holds the SECRET_KEY of the installation; becomes DATA_DIR/secret.key',
      },
      replace: { help: 'removes the installation that the database holds' },
      check: { help: 'reads the whole file and changes nothing' },
      to: {
        value: 'TIME',
        help: 'the file is a folder that was WAL_ARCHIVE: an empty DATA_DIR becomes what it was at TIME, such as 2026-11-24T13:00:00Z',
      },
    },
    help: 'makes an empty database what it was when the backup was taken, while no server runs',
    async runStandalone(readConfig, { args, options }) {
      const { restore } = await import('./restore.ts')
      const keyFile = options['key-file'] === undefined ? undefined : String(options['key-file'])
      if (options['to'] !== undefined) {
        for (const other of ['replace', 'check'])
          if (options[other] !== undefined) throw invalid(other, 'cannot be given together with --to')
        const { restoreMoment } = await import('./restore-moment.ts')
        return restoreMoment(readConfig(), args['file'] ?? '', { keyFile, to: String(options['to']) })
      }
      const [replace, check] = [options['replace'] === true, options['check'] === true]
      return restore(readConfig(), args['file'] ?? '', { keyFile, replace, check })
    },
  },
  {
    path: 'tenant move',
    args: ['slug'],
    options: {
      to: {
        value: 'URL',
        required: true,
        help: 'the database of the other installation, as its DATABASE_URL; the password may come from ~/.pgpass',
      },
      address: { value: 'URL', help: 'where that is reached; as CELL_ADDRESSES says unless given' },
      'key-file': { value: 'FILE', help: 'holds its SECRET_KEY, where that is another one' },
      wait: { value: 'S', help: 'how long jobs and deliveries under way are waited for; 30 unless given' },
      cancel: {
        help: 'instead, lets an organisation whose move did not come to its end be written here again',
      },
    },
    help: 'moves an organisation to another installation while both serve others; run again after a kill',
    async runStandalone(readConfig, { args, options }) {
      const { cancelMove, moveTenant } = await import('./move-tenant/move-tenant.ts')
      const given = (name: string) => (options[name] === undefined ? undefined : String(options[name]))
      const waitSeconds = Number(given('wait') ?? 30)
      if (!Number.isInteger(waitSeconds) || waitSeconds < 0)
        throw invalid('wait', 'must be a whole number of seconds')
      const wanted = {
        slug: args['slug'] ?? '',
        to: given('to') ?? '',
        address: given('address'),
        keyFile: given('key-file'),
      }
      const move = options['cancel'] === true ? cancelMove : moveTenant
      return move(readConfig(), { ...wanted, waitSeconds })
    },
  },
  {
    path: 'cell map',
    options: {
      domain: { value: 'NAME', required: true, help: 'organisations are reached at SLUG.NAME' },
      format: { value: 'FORMAT', help: 'haproxy or nginx; haproxy unless given' },
    },
    help: 'prints by host name in which cell each organisation is, for the map of a proxy',
    async runStandalone(readConfig, { options }) {
      const { cellMap } = await import('./cell-map.ts')
      return cellMap(readConfig(), String(options['domain']), String(options['format'] ?? 'haproxy'))
    },
  },
  {
    path: 'mcp',
    options: {
      server: { value: 'URL', help: 'the server to ask; http://127.0.0.1:8080 unless given' },
      'key-file': {
        value: 'FILE',
        required: true,
        help: 'holds an API key; one with the scope read is enough',
      },
    },
    help: 'answers an assistant that speaks the Model Context Protocol over standard input and output; reads, changes nothing',
    async runStandalone(_, input, print) {
      const { serveMcp } = await import('./mcp/serve-mcp.ts')
      await serveMcp(input, print)
      return undefined
    },
  },
  {
    path: 'verify',
    args: ['file'],
    options: {
      key: { value: 'KEY.json', help: 'what the installation published at /.well-known/rollcall.json' },
      file: { value: 'REPORT', help: 'the file of a report, to be compared with its proof' },
    },
    help: 'checks evidence, an extract of the audit log, an approved statement or the proof of a report; asks no server',
    async runStandalone(_, input) {
      const { verifyFile } = await import('./verify.ts')
      return verifyFile(input)
    },
  },
  {
    path: 'agent release root',
    args: ['file'],
    help: 'makes a root key for releases of the agent, to be kept offline; prints its public key',
    async runStandalone(_, input) {
      const { makeRootKey } = await import('./agent-release.ts')
      return makeRootKey(input)
    },
  },
  {
    path: 'agent release key',
    args: ['file'],
    options: {
      root: { value: 'FILE', required: true, help: 'the root key that certifies it' },
      days: { value: 'D', help: 'how long it signs releases; 365 unless given' },
    },
    help: 'makes a key that signs releases of the agent',
    async runStandalone(_, input) {
      const { makeSigningKey } = await import('./agent-release.ts')
      return makeSigningKey(input)
    },
  },
  {
    path: 'agent release sign',
    args: ['folder'],
    options: {
      key: { value: 'FILE', required: true, help: 'the key that signs' },
      platform: {
        value: 'NAME',
        many: true,
        help: 'also with the Node of this platform, such as linux-x64; without it the agent alone, for every platform',
      },
      'not-before': { value: 'TIME', help: 'no agent takes it before; RFC 3339, now unless given' },
    },
    help: 'packs the agent of this installation into the folder and signs it',
    async runStandalone(_, input) {
      const { signRelease } = await import('./agent-release.ts')
      return signRelease(input)
    },
  },
  {
    path: 'doctor',
    help: 'checks the set-up and says what to do',
    async runStandalone(readConfig) {
      const { runChecks } = await import('../doctor/doctor.ts')
      return runChecks(readConfig())
    },
  },
  ...benchCommands,
  {
    path: 'generate',
    options: { check: { flag: true, help: 'write nothing; fail when a file is out of date' } },
    help: 'writes the files that are made from code',
    async runStandalone(_, { options }) {
      const { checkGenerated, generate } = await import('../generated-docs/generate.ts')
      const { features } = await import('../app.ts')
      const commands = [...maintenanceCommands, ...features.flatMap((it) => it.commands ?? [])]
      return options.check ? checkGenerated(commands) : generate(commands)
    },
  },
]
