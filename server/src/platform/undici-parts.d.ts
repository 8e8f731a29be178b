/** A part of undici that is loaded without the rest, of which a worker needs nothing: half of what it takes to start. */
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
