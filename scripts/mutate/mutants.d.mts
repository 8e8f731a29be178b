export interface Mutant {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly becomes: string
}
export function mutantsOf(text: string, tree: unknown): Mutant[]
