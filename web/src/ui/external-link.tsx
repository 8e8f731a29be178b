import { webAddress } from '#lib/http-url.ts'

interface OutsideLinkProps {
  /** As some source tells it. */
  readonly address: string
}

/** An address elsewhere: a link where it is one of the web, else the text alone. What is shown is where it leads. */
export function OutsideLink({ address }: OutsideLinkProps) {
  const href = webAddress(address)
  if (href === undefined) return <>{address}</>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {href}
    </a>
  )
}
