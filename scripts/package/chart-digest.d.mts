export const RENDERED: string
export function chartDigest(): string
