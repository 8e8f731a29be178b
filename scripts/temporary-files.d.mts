export declare function withTemporaryFolder<T>(run: (folder: string) => T): {
  readonly result: T
  readonly left: readonly string[]
}
