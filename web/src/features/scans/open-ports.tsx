import type { ScanHostRow } from '#api/generated/scans.ts'
import styles from './open-ports.module.css'

type Ports = ScanHostRow['ports']
interface Port {
  readonly protocol: string
  readonly port: number
}

/** Number of ports displayed before "more". */
const FIRST = 8

/** `443`, or `161/udp`. */
export const portName = ({ protocol, port }: Port): string =>
  protocol === 'tcp' ? String(port) : `${port}/${protocol}`

interface OpenPortsProps {
  readonly ports: Ports
  /** Ports that were closed in the previous scan. */
  readonly opened: readonly Port[]
}

/** Open ports with their registered service names; the tooltip is the banner of the service. */
export function OpenPorts({ ports, opened }: OpenPortsProps) {
  if (ports === null) return <span className="quiet">Not looked for</span>
  if (ports.length === 0) return <span className="quiet">None open</span>
  const isOpened = (port: Port) => opened.some((it) => portName(it) === portName(port))
  const items = ports.map((port) => <PortItem key={portName(port)} port={port} isOpened={isOpened(port)} />)
  return (
    <>
      <ul className={styles['ports']}>{items.slice(0, FIRST)}</ul>
      {items.length > FIRST && (
        <details>
          <summary className={styles['more']}>{items.length - FIRST} more</summary>
          <ul className={styles['ports']}>{items.slice(FIRST)}</ul>
        </details>
      )}
    </>
  )
}

interface PortItemProps {
  readonly port: NonNullable<Ports>[number]
  readonly isOpened: boolean
}

const PortItem = ({ port, isOpened }: PortItemProps) => (
  <li
    className={`${styles['port']} ${isOpened ? styles['opened'] : ''}`}
    title={[port.banner, isOpened && 'not open in the scan before'].filter(Boolean).join('; ') || undefined}
  >
    <span className="mono">{portName(port)}</span>
    {port.service !== '' && <span className={styles['service']}>{port.service}</span>}
  </li>
)
