/** What a revoked agent is told. */
export const REVOKED = 'this agent was revoked: run forget on the host, then enrol it anew'
