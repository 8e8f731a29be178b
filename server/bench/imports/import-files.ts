/** A file that is hard on an import, generated: the same bytes each time. */
export interface ImportFile {
  readonly name: string
  readonly title: string
  readonly bytes: () => Buffer
  /** Uploaded and looked through so often at once; 1 unless given. */
  readonly copies?: number
  /** Whether it is imported after its preview; what has no good row cannot be. */
  readonly isImported: boolean
}

/** As large as an upload may be. */
const BYTES = 20_000_000
const NMAP = '<nmaprun scanner="nmap" start="1795218818">'
const COMPONENTS = 350_000

export const importFiles: readonly ImportFile[] = [
  { name: 'rows', title: 'CSV, 20,000 rows', isImported: true, bytes: () => rows(20_000) },
  { name: 'keys', title: 'CSV of distinct names', isImported: false, bytes: () => distinctNames() },
  {
    name: 'columns',
    title: 'CSV of distinct columns',
    isImported: false,
    bytes: () => numbered('', (n) => `${n.toString(36)},`, '\n'),
  },
  { name: 'short', title: 'CSV, lines of "x"', isImported: false, bytes: () => shortLines() },
  { name: 'six', title: 'The same, six at once', isImported: false, copies: 6, bytes: () => shortLines() },
  {
    name: 'quote',
    title: 'CSV, quote never closed',
    isImported: false,
    bytes: () => filled('name,os\n"', 'x,y\n', ''),
  },
  {
    name: 'elements',
    title: 'XML of empty elements',
    isImported: false,
    bytes: () => filled(NMAP, '<a/>', '</nmaprun>'),
  },
  {
    name: 'hosts',
    title: 'XML of empty hosts',
    isImported: false,
    bytes: () => filled(NMAP, '<host/>', '</nmaprun>'),
  },
  {
    name: 'text',
    title: 'XML of text nodes',
    isImported: false,
    bytes: () => filled(NMAP, 'x<a/>', '</nmaprun>'),
  },
  {
    name: 'inner',
    title: 'XML, one host of text nodes',
    isImported: false,
    bytes: () => filled(`${NMAP}<host>`, 'x<a/>', '</host></nmaprun>'),
  },
  {
    name: 'attribute',
    title: 'XML, attribute never closed',
    isImported: false,
    bytes: () => filled(`${NMAP}<host a="`, 'x ', ''),
  },
  {
    name: 'object',
    title: 'JSON of distinct keys',
    isImported: false,
    bytes: () => numbered('{"bomFormat":"CycloneDX",', (n) => `"${n.toString(36)}":0,`, '"z-":0}'),
  },
  {
    name: 'inner-object',
    title: 'JSON, component of distinct keys',
    isImported: false,
    bytes: () =>
      numbered('{"bomFormat":"CycloneDX","components":[{', (n) => `"${n.toString(36)}":0,`, '"z-":0}]}'),
  },
  { name: 'components', title: 'CycloneDX, 350,000 components', isImported: true, bytes: components },
]

function filled(before: string, repeated: string, after: string): Buffer {
  const count = Math.floor((BYTES - before.length - after.length) / repeated.length)
  return Buffer.from(before + repeated.repeat(count) + after)
}

function numbered(before: string, part: (n: number) => string, after: string): Buffer {
  const parts = [before]
  let length = before.length + after.length
  for (let n = 0; ; n++) {
    const next = part(n)
    length += next.length
    if (length > BYTES) break
    parts.push(next)
  }
  return Buffer.from(parts.join('') + after)
}

const shortLines = (): Buffer => filled('name,os\n', 'x\n', '')
const distinctNames = (): Buffer => numbered('name\n', (n) => `host-${n}\n`, '')

function rows(count: number): Buffer {
  const lines = Array.from({ length: count }, (_, n) => {
    const [a, b, c] = [n >> 16, (n >> 8) & 255, n & 255]
    return `pc-${n},SN-${100_000 + n},${mac(n)},10.${a}.${b}.${c}\n`
  })
  return Buffer.from(`name,serial,macAddress,ipAddress\n${lines.join('')}`)
}

const mac = (n: number): string => `3c2af4${n.toString(16).padStart(6, '0')}`

function components(): Buffer {
  const list = Array.from(
    { length: COMPONENTS },
    (_, n) => `{"type":"library","name":"c${n}","version":"1.${n % 10}"}`,
  )
  const main = '"metadata":{"component":{"type":"device","name":"bench-1"}}'
  return Buffer.from(`{"bomFormat":"CycloneDX",${main},"components":[${list.join(',')}]}`)
}
