import { bodyOf, child, envelope, escaped, SoapFault, type Element } from './soap.ts'

/** Operations of WS-Management on the objects of WMI. */
export interface Wsman {
  /** All that a query in WQL finds, in the `root/cimv2` namespace unless another is given. */
  readonly query: (wql: string, namespace?: string) => Promise<WmiObject[]>
  /** Calls a method of a class in `root/default`; answers its output parameters. */
  readonly invoke: (className: string, method: string, input: Record<string, string>) => Promise<WmiObject>
}

/** Properties by name; those that are nil are left out. */
export type WmiObject = ReadonlyMap<string, readonly string[]>

/** Sends an envelope, answers the envelope that came back. */
export type Exchange = (envelope: string) => Promise<string>

/** The most objects that are read of one host; the rest is left out. */
const OBJECTS_MAX = 20_000
const PAGE = 200

export function wsman(to: string, exchange: Exchange): Wsman {
  const ask = async (request: Omit<Parameters<typeof envelope>[0], 'to'>): Promise<Element> =>
    bodyOf(await exchange(envelope({ to, ...request })))
  return {
    async query(wql, namespace = 'root/cimv2') {
      const resource = `${WMI}/${namespace}/*`
      const found: WmiObject[] = []
      let page = pageOf(await ask({ resource, action: `${ENUMERATION}/Enumerate`, body: enumerate(wql) }))
      for (;;) {
        found.push(...page.items)
        if (page.context === undefined) return found
        if (found.length >= OBJECTS_MAX) {
          await ask({ resource, action: `${ENUMERATION}/Release`, body: released(page.context) })
          return found.slice(0, OBJECTS_MAX)
        }
        const next = pageOf(
          await ask({ resource, action: `${ENUMERATION}/Pull`, body: pulled(page.context) }),
        )
        if (next.context !== undefined && next.items.length === 0)
          throw new SoapFault('EmptyPage', 'the enumeration goes on without giving anything')
        page = next
      }
    },
    async invoke(className, method, input) {
      const resource = [WMI, METHODS, className].join('/')
      const parameters = Object.entries(input).map(
        ([name, value]) => `<p:${name}>${escaped(value)}</p:${name}>`,
      )
      const body = `<p:${method}_INPUT xmlns:p="${resource}">${parameters.join('')}</p:${method}_INPUT>`
      const output = (await ask({ resource, action: `${resource}/${method}`, body })).children[0]
      return output ? objectOf(output) : new Map()
    },
  }
}

const WMI = 'http://schemas.microsoft.com/wbem/wsman/1/wmi'
/** Where StdRegProv lives on every Windows. */
const METHODS = 'root/default'
const ENUMERATION = 'http://schemas.xmlsoap.org/ws/2004/09/enumeration'
const WQL = 'http://schemas.microsoft.com/wbem/wsman/1/WQL'

const enumerate = (wql: string): string =>
  `<n:Enumerate><w:OptimizeEnumeration/><w:MaxElements>${PAGE}</w:MaxElements><w:Filter Dialect="${WQL}">${escaped(wql)}</w:Filter></n:Enumerate>`

const pulled = (context: string): string =>
  `<n:Pull><n:EnumerationContext>${escaped(context)}</n:EnumerationContext><n:MaxElements>${PAGE}</n:MaxElements></n:Pull>`

const released = (context: string): string =>
  `<n:Release><n:EnumerationContext>${escaped(context)}</n:EnumerationContext></n:Release>`

interface Page {
  readonly items: readonly WmiObject[]
  /** Undefined: that was all. */
  readonly context: string | undefined
}

function pageOf(body: Element): Page {
  const response = child(body, 'EnumerateResponse') ?? child(body, 'PullResponse')
  if (!response) throw new SoapFault('NoResponse', 'the answer is not one to an enumeration')
  const context = child(response, 'EnumerationContext')?.text.trim()
  const isOver = child(response, 'EndOfSequence') !== undefined || !context
  return {
    items: child(response, 'Items')?.children.map(objectOf) ?? [],
    context: isOver ? undefined : context,
  }
}

/** Repeated elements are the members of an array; instants and references lie one element deeper. */
function objectOf(from: Element): WmiObject {
  const properties = new Map<string, string[]>()
  for (const property of from.children) {
    if (property.isNil) continue
    const text = property.children.length > 0 ? (property.children[0]?.text ?? '') : property.text
    const values = properties.get(property.name)
    if (values) values.push(text)
    else properties.set(property.name, [text])
  }
  return properties
}
