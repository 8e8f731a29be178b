/**
 * Lists assets with critical findings that nobody has closed, worst first:
 *
 *   ROLLCALL_ADDRESS=https://inventory.example.org ROLLCALL_KEY=… node examples/exposed-assets.ts
 */
import { RollcallClient } from '../src/client.ts'

const { ROLLCALL_ADDRESS: address = 'http://127.0.0.1:8080', ROLLCALL_KEY: apiKey = '' } = process.env
const client = new RollcallClient({ address, apiKey })

const exposed: { name: string; findings: number }[] = []
for await (const asset of client.all('/assets', { query: { where: 'any finding(severity = critical)' } })) {
  const where = `asset.id = "${asset.id}" and severity = critical`
  const { data } = await client.get('/vulnerabilities', { query: { where, limit: 1000 } })
  exposed.push({ name: asset.name, findings: data.length })
}
for (const { name, findings } of exposed.toSorted((a, b) => b.findings - a.findings))
  console.log(`${name}\t${findings}`)
