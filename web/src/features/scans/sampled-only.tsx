import { many } from '#lib/numbers.ts'

/** Of a large range: how many networks nobody knows more of than that their sample was silent. */
export const SampledOnly = ({ sampledOnly }: { readonly sampledOnly: number }) =>
  sampledOnly > 0 && <span>{many(sampledOnly, 'network')} of 256 addresses sampled, not swept</span>
