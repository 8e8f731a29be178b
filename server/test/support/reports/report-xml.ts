/** Of each section of a report in XML (docs/report.xsd): its columns, and its rows with the cells that they have. */
export type Sections = ReadonlyMap<string, Section>

interface Section {
  readonly columns: readonly { readonly name: string; readonly kind: string }[]
  readonly rows: readonly ReadonlyMap<string, string>[]
}

export function sectionsOf(xml: string): Sections {
  const sections = new Map<string, Section>()
  for (const [, name = '', body = ''] of xml.matchAll(/<section name="(\w+)"[^>]*>(.*?)<\/section>/gs))
    sections.set(name, {
      columns: [...body.matchAll(/<column name="(\w+)" kind="(\w+)"/g)].map(([, column = '', kind = '']) => ({
        name: column,
        kind,
      })),
      rows: [...body.matchAll(/<row>(.*?)<\/row>/gs)].map(
        ([, row = '']) =>
          new Map(
            [...row.matchAll(/<cell of="(\w+)">(.*?)<\/cell>/gs)].map(([, of = '', text = '']) => [
              of,
              unescaped(text),
            ]),
          ),
      ),
    })
  return sections
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#13;', '\r')
    .replaceAll('&#xD;', '\r')
    .replaceAll('&amp;', '&')
