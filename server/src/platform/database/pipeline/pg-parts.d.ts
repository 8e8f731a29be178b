/** How node-postgres writes the values of parameters; its types do not have it. */
declare module 'pg/lib/utils.js' {
  /** Throws where a value cannot be written, such as a structure that contains itself. */
  export const prepareValue: (value: unknown) => Buffer | string | null
}
