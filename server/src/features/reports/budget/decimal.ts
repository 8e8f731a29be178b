/** A decimal number without loss: `units` tenths to the power of `scale`. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

/** Of `9100.50`, `-3` and the like; throws for anything else. */
export function decimal(text: string): Decimal {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '') throw new Error(`not a decimal number: ${text}`)
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length }
}

export const times = (a: Decimal, b: Decimal): Decimal => ({
  units: a.units * b.units,
  scale: a.scale + b.scale,
})

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { units: scaledTo(a, scale) + scaledTo(b, scale), scale }
}

const scaledTo = ({ units, scale }: Decimal, wanted: number): bigint => units * 10n ** BigInt(wanted - scale)

/** With two places; what lies in the middle goes to the even neighbour. */
export const rounded = ({ units, scale }: Decimal): Decimal =>
  scale <= 2
    ? { units: units * 10n ** BigInt(2 - scale), scale: 2 }
    : { units: divided(units, 10n ** BigInt(scale - 2)), scale: 2 }

/** One of so many equal parts, with the places that it has, rounded half to even. */
export const shareOf = ({ units, scale }: Decimal, parts: bigint): Decimal => ({
  units: divided(units, parts),
  scale,
})

/** By a positive number, half to even. */
function divided(units: bigint, step: bigint): bigint {
  const [sign, size] = units < 0n ? [-1n, -units] : [1n, units]
  const [whole, rest] = [size / step, size % step]
  const isUp = rest * 2n > step || (rest * 2n === step && whole % 2n === 1n)
  return sign * (isUp ? whole + 1n : whole)
}

/** `1225.70` */
export function textOf({ units, scale }: Decimal): string {
  const [sign, size] = units < 0n ? ['-', -units] : ['', units]
  const digits = String(size).padStart(scale + 1, '0')
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
