import type { MaintenanceCommand } from './maintenance-command.ts'

/** Commands that measure the product; they run from a source tree, beside which the benches lie. */
export const benchCommands: readonly MaintenanceCommand[] = [
  {
    path: 'bench',
    args: ['name?'],
    options: {
      assets: { value: 'N', help: 'how many the measured tenant has; 1,000,000 unless given' },
      findings: {
        value: 'N',
        help: 'how many findings they have where conditions are measured; five for each asset unless given',
      },
      seconds: { value: 'S', help: 'how long each side of each measure runs; 10 unless given' },
      snapshot: { value: 'S', help: 'of `bench webhooks`: how long a snapshot stays open; 20 unless given' },
      hanging: {
        value: 'N',
        help: 'of `bench webhooks`: instead, how long new receivers wait while N others hang, 4,000 for example',
      },
      tenants: { value: 'N', help: 'with --hanging: how many tenants those N belong to; 1 unless given' },
      keep: { value: 'DIR', help: 'keep the seeded database there for the next time' },
    },
    help: 'measures the product on a database of its own, beside what the machine allows',
    async runStandalone(_, input) {
      const { bench } = await import('../../bench/bench.ts')
      return bench(input)
    },
  },
  {
    path: 'bench growth',
    options: {
      assets: {
        value: 'SIZES',
        help: 'sizes of estates, with commas between them; 10000,100000,1000000 unless given',
      },
      pages: { flag: true, help: 'only lists, searches, counts and the export' },
      keep: { value: 'DIR', help: 'keep the seeded databases there for the next time' },
    },
    help: 'measures how the cost of lists, searches, intake, matching, checks, reports, deliveries, disk and memory grows with the estate',
    async runStandalone(_, input) {
      const { benchGrowth } = await import('../../bench/growth/command.ts')
      return benchGrowth(input)
    },
  },
  {
    path: 'bench restore',
    options: { assets: { value: 'N', help: 'how many the restored estate has; 200,000 unless given' } },
    help: 'restores an estate of the embedded database to a moment, and checks it by doctor and audit verify',
    async runStandalone(_, input) {
      const { benchRestore } = await import('../../bench/restore/command.ts')
      return benchRestore(input)
    },
  },
  {
    path: 'bench recognition',
    options: {
      data: { value: 'DIR', help: 'labelled examples; ../shared/data/recognition unless given' },
      calibrate: {
        flag: true,
        help: 'measure what each kind of statement is worth, and write the table of it',
      },
    },
    help: 'measures how often device recognition is right, how honest its confidence is, and how fast it is',
    async runStandalone(_, input) {
      const { benchRecognition } = await import('../../bench/recognition/recognition.ts')
      return benchRecognition(input)
    },
  },
  {
    path: 'bench truth',
    options: { data: { value: 'DIR', help: 'labelled data; ../shared/data unless given' } },
    help: 'says how often the product is right on labelled data, as one table with confidence intervals',
    async runStandalone(_, input) {
      const { benchTruth } = await import('../../bench/truth/truth.ts')
      return benchTruth(input)
    },
  },
  {
    path: 'bench matching',
    options: {
      data: { value: 'DIR', help: 'labelled data and feeds; ../shared/data unless given' },
      quality: { flag: true, help: 'only how often matching is right, not how fast it is' },
    },
    help: 'measures how often matching is right on labelled data, how fast it is, and how fast findings are listed',
    async runStandalone(_, input) {
      const { benchMatching } = await import('../../bench/matching/matching.ts')
      return benchMatching(input)
    },
  },
  {
    path: 'bench compliance',
    options: {
      assets: { value: 'N', help: 'how many the measured tenant has; 1,000,000 unless given' },
      keep: { value: 'DIR', help: 'keep the seeded database there for the next time' },
      brief: {
        flag: true,
        help: 'only a round that finds nothing new, an hour and batches; what is kept was judged before',
      },
    },
    help: 'measures rounds of all checks, batches of changed assets, and how soon a status follows a change',
    async runStandalone(_, input) {
      const { benchCompliance } = await import('../../bench/compliance/command.ts')
      return benchCompliance(input)
    },
  },
  {
    path: 'bench flows',
    options: {
      runs: { value: 'N', help: 'how many runs go on while nodes are killed; 3,000 unless given' },
      kills: { value: 'N', help: 'how many nodes are killed; 25 unless given' },
      events: { value: 'N', help: 'how many matching events are drained; 10,000 unless given' },
      samples: { value: 'N', help: 'how often the time to the first step is taken; 100 unless given' },
    },
    help: 'counts what flows lose or do twice while nodes and the database crash, and measures how soon they begin',
    async runStandalone(_, input) {
      const { benchFlows } = await import('../../bench/flows/command.ts')
      return benchFlows(input)
    },
  },
  {
    path: 'bench agents',
    options: {
      hosts: { value: 'N', help: 'how many hosts have an agent; 10,000 unless given' },
      rate: { value: 'N', help: 'how many report a second; 400 unless given' },
      seconds: { value: 'S', help: 'for how long; 60 unless given' },
    },
    help: 'measures reports of agents without a change, at a steady rate and then from all hosts at once',
    async runStandalone(_, input) {
      const { benchAgents } = await import('../../bench/agents/command.ts')
      return benchAgents(input)
    },
  },
  {
    path: 'bench cloud',
    options: {
      resources: {
        value: 'N',
        help: 'how many resources one connection has; 100,000 unless given, 0 for none',
      },
      connections: {
        value: 'N',
        help: 'how many connections are read at once; 200 unless given, 0 for none',
      },
      moto: { value: 'ADDRESS', help: 'also reads an estate that is made at this fresh moto_server (PyPI)' },
    },
    help: 'measures memory, time and fairness of reading clouds, and what a killed worker costs, with stand-ins for the providers',
    async runStandalone(_, input) {
      const { benchCloud } = await import('../../bench/cloud/command.ts')
      return benchCloud(input)
    },
  },
  {
    path: 'bench software',
    options: { assets: { value: 'N', help: 'how many machines report; 10,000 unless given' } },
    help: 'measures how fast reports of installed software are taken in, beside COPY of the same rows',
    async runStandalone(_, input) {
      const { benchSoftware } = await import('../../bench/intake/software-intake.ts')
      return benchSoftware(input)
    },
  },
  {
    path: 'bench failover',
    options: {
      database: {
        value: 'URL',
        required: true,
        help: 'an empty database on servers that you make fail meanwhile',
      },
      seconds: { value: 'S', help: 'how long it writes; 180 unless given' },
    },
    help: 'writes 20 times a second while a database fails over, and reports what was refused, lost or delivered twice',
    async runStandalone(_, input) {
      const { failover } = await import('../../bench/failover/command.ts')
      return failover(input)
    },
  },
  {
    path: 'bench agent',
    help: 'measures reports of our own agent on a host of 5,000 packages: processor time, memory, bytes sent; and the archives',
    async runStandalone() {
      const { benchAgent } = await import('../../bench/agent-runs.ts')
      return benchAgent()
    },
  },
  {
    path: 'bench imports',
    args: ['file?'],
    help: 'measures imports of hostile files of 20 MB: rows a second, memory, longest event-loop slice',
    async runStandalone(_, { args }) {
      const { benchImports } = await import('../../bench/imports/imports.ts')
      return benchImports(args['file'])
    },
  },
  {
    path: 'bench reports',
    options: {
      format: { value: 'FORMAT', help: 'csv, pdf, excel or xml; pdf unless given' },
      assets: { value: 'N', help: 'how many assets are in it; 1,000 unless given' },
      list: { flag: true, help: 'a line for each asset, instead of a sheet with its software and findings' },
      output: { value: 'FILE', help: 'where the file is written; nowhere unless given' },
      types: { flag: true, help: 'instead, each type in each format, collected from a seeded database' },
      keep: { value: 'DIR', help: 'with --types: keep the seeded database there for the next time' },
    },
    help: 'measures the file of a report of made-up assets: seconds of CPU, memory, bytes, SHA-256',
    async runStandalone(_, input) {
      const { benchReports } = await import('../../bench/reports/render-speed.ts')
      return benchReports(input)
    },
  },
  {
    path: 'bench deliveries',
    options: {
      seconds: { value: 'S', help: 'how long events come one by one in each case; 10 unless given' },
      drain: { value: 'N', help: 'how many deliveries a backlog has in each case; 20,000 unless given' },
      only: { value: 'TEXT', help: 'only cases whose title has this in it' },
      apart: { flag: true, help: 'with the worker as a process of its own' },
      statements: { flag: true, help: 'also the statements of each case that take PostgreSQL longest' },
    },
    help: 'measures deliveries case by case: bodies, endpoints, one by one and in batches, beside hung receivers',
    async runStandalone(_, input) {
      const { benchDeliveries } = await import('../../bench/webhooks/deliveries.ts')
      return benchDeliveries(input)
    },
  },
  {
    path: 'bench discoveries',
    options: {
      hosts: { value: 'N', help: 'how many sshd live among the 1,024 addresses; 200 unless given' },
    },
    help: 'measures a sweep with a login to every host, beside nmap and OpenSSH; cancels one, kills the worker of one; needs root, sshd, nmap',
    async runStandalone(_, input) {
      const { benchDiscoveries } = await import('../../bench/discoveries/command.ts')
      return benchDiscoveries(input)
    },
  },
  {
    path: 'bench sweeps',
    options: {
      hosts: { value: 'N', help: 'how many machines live in the range; 120 unless given' },
      prefix: { value: 'BITS', help: 'of the range, 16 to 24; 22 unless given' },
      shells: { flag: true, help: 'with sshd alone, which nmap recognises by its greeting' },
      alone: { flag: true, help: 'without nmap, which takes long in a large range' },
    },
    help: 'measures a sweep of a range with real services, beside nmap with its detection of services; needs root, sshd, nginx, nmap',
    async runStandalone(_, input) {
      const { benchSweeps } = await import('../../bench/sweeps/command.ts')
      return benchSweeps(input)
    },
  },
  {
    path: 'bench ssh',
    help: 'measures scans over SSH of 1,024 addresses of one real server, beside OpenSSH; needs root and sshd',
    async runStandalone() {
      const { benchSsh } = await import('../../bench/ssh-scans.ts')
      return benchSsh()
    },
  },
  {
    path: 'chaos',
    options: {
      deliveries: { value: 'N', help: 'how many webhook deliveries; 200,000 unless given' },
      frozen: { value: 'S', help: 'for how long a worker stands still; 20 seconds unless given' },
      kills: { value: 'N', help: 'instead of the usual plan: kill -9 so often, and nothing but --crashes' },
      crashes: { value: 'N', help: 'with --kills: crash the database so often' },
      minutes: {
        value: 'M',
        help: 'after so many, what waits is delivered and the rest left out; 60 unless given',
      },
    },
    help: 'kills and freezes workers, crashes the database, breaks networks, sets clocks wrong and fills the disk under deliveries, on a database of its own',
    async runStandalone(_, input) {
      const { chaos } = await import('../../bench/chaos/command.ts')
      return chaos(input)
    },
  },
]
