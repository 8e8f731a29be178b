import { httpUrl } from '#lib/http-url.ts'

interface ExternalLinkProps {
  /** As some source tells it. */
  readonly address: string
}

/** An address elsewhere: a link where it is one of the web, else the text alone. What is shown is where it leads. */
export function ExternalLink({ address }: ExternalLinkProps) {
  const href = httpUrl(address)
  if (href === undefined) return <>{address}</>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {href}
    </a>
  )
}
