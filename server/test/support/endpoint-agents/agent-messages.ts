import { deflateSync } from 'node:zlib'

/** As the OCS agent sends it. */
export const postXml = (
  address: string,
  xml: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-compress',
      'user-agent': 'OCS-NG_unified_unix_agent_v2.10.0',
      ...headers,
    },
    body: deflateSync(xml),
  })

/** As the GLPI agent sends it. */
export const postJson = (
  address: string,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${address}/front/inventory.php`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-compress-zlib',
      'user-agent': 'GLPI-Agent_v1.11',
      'glpi-agent-id': '5b519daa-e627-11f1-802d-afe8ed340892',
      ...headers,
    },
    body: deflateSync(JSON.stringify(message)),
  })
