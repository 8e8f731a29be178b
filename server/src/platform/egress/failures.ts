/** Why a request got no response: stable codes, the same for all causes that the caller must not distinguish. */
export type FailureCode = keyof typeof FAILURE_SENTENCES

/** What the one who chose the destination may read: no address, no port, nothing of the network between. */
export const FAILURE_SENTENCES = {
  host_not_found: 'the host name does not resolve',
  address_refused: 'the host is not a public address',
  connect_failed: 'no connection could be opened',
  tls_failed: 'no trusted TLS connection could be made',
  timeout: 'no answer in time',
  connection_lost: 'the connection closed before an answer came',
  bad_response: 'the answer is not HTTP/1.1',
  redirect_refused: 'the answer redirects to where no delivery may go',
  too_many_redirects: 'the answers redirect too often',
} as const
