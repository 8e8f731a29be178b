import { encode } from 'uqr'
import styles from './qr-code.module.css'

/** Quiet zone in modules (ISO/IEC 18004 §5.3.8). */
const QUIET = 4

/** A QR code, dark on light in every theme, because not every app reads inverted codes. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  const side = size + 2 * QUIET
  return (
    <svg
      className={styles['code']}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect className={styles['light']} x={-QUIET} y={-QUIET} width={side} height={side} />
      <path className={styles['dark']} d={path} />
    </svg>
  )
}
