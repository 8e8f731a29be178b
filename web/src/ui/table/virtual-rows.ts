/** Firefox draws nothing taller than about 17.9 million pixels; longer lists are scrolled in larger steps. */
const HEIGHT_MAX = 15_000_000
/** Overscan: rows rendered beyond each edge, so that a quick scroll shows rows and no gap. */
const OVERSCAN_ROWS = 8

export interface ScrollPosition {
  readonly total: number
  readonly rowHeight: number
  readonly viewHeight: number
  readonly scrollTop: number
}

/** Of a list of rows of equal height, those to draw: `first` to before `end`, from `top` pixels on, in `height`. */
export interface VisibleRows {
  readonly first: number
  readonly end: number
  readonly top: number
  readonly height: number
}

export function visibleRows({ total, rowHeight, viewHeight, scrollTop }: ScrollPosition): VisibleRows {
  const wanted = total * rowHeight
  const height = Math.min(wanted, HEIGHT_MAX)
  const atMost = Math.max(0, height - viewHeight)
  const at = Math.min(Math.max(0, scrollTop), atMost)
  const scale = atMost === 0 ? 1 : (wanted - viewHeight) / atMost
  const position = at * scale
  const first = Math.max(0, Math.floor(position / rowHeight) - OVERSCAN_ROWS)
  const end = Math.min(total, Math.ceil((position + viewHeight) / rowHeight) + OVERSCAN_ROWS)
  return { first, end, top: at + first * rowHeight - position, height }
}

/** Where to scroll so that a row is seen; the same place when it is. */
export function scrollTopOf(
  row: number,
  { total, rowHeight, viewHeight, scrollTop }: ScrollPosition,
): number {
  const wanted = total * rowHeight
  const height = Math.min(wanted, HEIGHT_MAX)
  const scale = height <= viewHeight ? 1 : (wanted - viewHeight) / (height - viewHeight)
  const position = scrollTop * scale
  const top = row * rowHeight
  if (top < position) return top / scale
  if (top + rowHeight > position + viewHeight) return (top + rowHeight - viewHeight) / scale
  return scrollTop
}
