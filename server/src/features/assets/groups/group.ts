/** A condition with a name: its members are the assets for which it is true at the moment of asking. */
export interface AssetGroup {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly condition: string
  readonly changedAt: string
}
