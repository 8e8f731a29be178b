/** Firefox draws nothing taller than about 17.9 million pixels; longer lists are scrolled in larger steps. */
const HEIGHT_MAX = 15_000_000
/** Drawn beyond each edge, so that a quick scroll shows rows and no gap. */
const SPARE_ROWS = 8

export interface Scrolled {
  readonly total: number
  readonly rowHeight: number
  readonly viewHeight: number
  readonly scrollTop: number
}

/** Of a list of rows of equal height, those to draw: `first` to before `end`, from `top` pixels on, in `height`. */
export interface Drawn {
  readonly first: number
  readonly end: number
  readonly top: number
  readonly height: number
}

export function drawnRows({ total, rowHeight, viewHeight, scrollTop }: Scrolled): Drawn {
  const wanted = total * rowHeight
  const height = Math.min(wanted, HEIGHT_MAX)
  const atMost = Math.max(0, height - viewHeight)
  const at = Math.min(Math.max(0, scrollTop), atMost)
  const scale = atMost === 0 ? 1 : (wanted - viewHeight) / atMost
  const position = at * scale
  const first = Math.max(0, Math.floor(position / rowHeight) - SPARE_ROWS)
  const end = Math.min(total, Math.ceil((position + viewHeight) / rowHeight) + SPARE_ROWS)
  return { first, end, top: at + first * rowHeight - position, height }
}

/** Where to scroll so that a row is seen; the same place when it is. */
export function scrollToShow(row: number, { total, rowHeight, viewHeight, scrollTop }: Scrolled): number {
  const wanted = total * rowHeight
  const height = Math.min(wanted, HEIGHT_MAX)
  const scale = height <= viewHeight ? 1 : (wanted - viewHeight) / (height - viewHeight)
  const position = scrollTop * scale
  const top = row * rowHeight
  if (top < position) return top / scale
  if (top + rowHeight > position + viewHeight) return (top + rowHeight - viewHeight) / scale
  return scrollTop
}
