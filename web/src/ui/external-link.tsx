import { httpUrl } from '#lib/http-url.ts'

interface ExternalLinkProps {
  /** URL as a source reports it. */
  readonly address: string
}

/**
 * A link to another site. Only http and https addresses become links; any other text is rendered as text. The label
 * is the target itself.
 */
export function ExternalLink({ address }: ExternalLinkProps) {
  const href = httpUrl(address)
  if (href === undefined) return <>{address}</>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {href}
    </a>
  )
}
