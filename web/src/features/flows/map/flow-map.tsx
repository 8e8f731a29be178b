import type { Definition } from '../flow-sentence.ts'
import { BOX, mapOf, type Line } from './flow-map-layout.ts'
import styles from './flow-map.module.css'

/** The steps as boxes and lines, to be looked at; the column of steps has the same for those who write. */
export function FlowMapView({ definition }: { readonly definition: Definition }) {
  const { width, height, boxes, lines } = mapOf(definition)
  return (
    // what is wider than the screen is scrolled, also with the keyboard
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div
      ref={showMiddle}
      className={styles['scroll']}
      role="region"
      aria-label="Map of the steps"
      tabIndex={0}
    >
      <div className={styles['map']} style={{ width, height }}>
        <svg width={width} height={height} aria-hidden>
          {lines.map((line) => (
            <polyline key={String(line.points)} points={line.points.join(' ')} />
          ))}
        </svg>
        {boxes.map(({ place, x, y, text, kind }) => (
          <p
            key={place}
            className={styles[kind]}
            style={{ left: x, top: y, width: BOX.width, height: BOX.height }}
            title={text}
          >
            <span>{text}</span>
          </p>
        ))}
        {lines.map((line) => (
          <LineLabel key={String(line.points)} line={line} />
        ))}
      </div>
    </div>
  )
}

/** Where the flow begins; else a narrow screen would open beside it. */
function showMiddle(scrolled: HTMLElement | null): void {
  if (scrolled) scrolled.scrollLeft = (scrolled.scrollWidth - scrolled.clientWidth) / 2
}

/** On the line, above where its branch begins. */
function LineLabel({ line: { label, points } }: { readonly line: Line }) {
  const [x = 0, y = 0] = points.at(-1) ?? []
  return label === undefined ? null : (
    <small className={styles['label']} style={{ left: x, top: y }}>
      {label}
    </small>
  )
}
