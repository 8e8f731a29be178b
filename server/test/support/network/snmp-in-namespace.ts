import { look, community } from '../../../src/features/scans/probes/snmp/agent.fixture.ts'

/** Scans one host over SNMP from whichever network namespace this runs in, and prints what it saw. */
const { seen } = await look([community(161)], { host: process.argv[2] ?? '' })
process.stdout.write(JSON.stringify(seen))
