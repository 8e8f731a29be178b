export type AgentChoice = 'linux' | 'node' | 'other'

/** A line that is copied to a host, and what it does. */
export interface InstallLine {
  readonly does: string
  readonly text: string
}

/**
 * What a person types on a host. `site` is the address of this server as the host reaches it, without a slash at the end;
 * `secret` is the token.
 */
export function installLines(choice: AgentChoice, site: string, secret: string): readonly InstallLine[] {
  if (choice === 'other') return [{ does: 'The server address of the agent', text: `${site}/t/${secret}` }]
  const platform = choice === 'linux' ? 'linux-$(uname -m)' : 'any'
  const agent = 'sudo /opt/rollcall-agent/rollcall-agent'
  return [
    {
      does: choice === 'linux' ? 'Unpack the agent and its own Node' : 'Unpack the agent',
      text: `curl -fsS "${site}/agent/download/${platform}" | sudo tar -xz -C /opt`,
    },
    { does: 'Make a key for this host and send the first report', text: `${agent} enrol ${site} ${secret}` },
    { does: 'Report every quarter of an hour from now on', text: `${agent} install` },
  ]
}

/** Over plain http an agent sends its token from the server's own machine alone. */
export const needsHttps = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean =>
  protocol !== 'https:' && !/^(localhost|127\.|\[::1\])/.test(hostname)
