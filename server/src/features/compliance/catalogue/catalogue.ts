import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Frameworks and their controls, as they come with the product. */

export interface Framework {
  readonly slug: string
  readonly version: string
  readonly title: string
  readonly publisher: string
  /** Whose words the titles of the controls are, and by what right they are here. */
  readonly licence: string
  /** In the order of the framework. */
  readonly controls: readonly Control[]
}

export interface Control {
  readonly framework: string
  /** As the framework writes it: `ID.AM-01`, `CM-8(3)`. */
  readonly id: string
  /** The control, category or family that it is part of; empty at the top. */
  readonly parentId: string
  readonly title: string
  /** A function, category or family, which only groups controls. */
  readonly isHeading: boolean
}

/** Frameworks with a file of texts; the others have titles alone. */
const WITH_TEXTS: readonly string[] = ['nist-sp-800-53-r5', 'nis2-article-21']

const publicDomain = 'Text of NIST, a work of the United States government: public domain.'
const ownWords = (holder: string) =>
  `Numbers of the framework, titles in our own words; its text is the property of ${holder} and not included.`

export const frameworks: readonly Framework[] = [
  framework('nist-csf-2.0', {
    version: '2.0',
    title: 'NIST Cybersecurity Framework',
    publisher: 'National Institute of Standards and Technology',
    licence: publicDomain,
  }),
  framework('nist-sp-800-53-r5', {
    version: 'Revision 5',
    title: 'NIST SP 800-53',
    publisher: 'National Institute of Standards and Technology',
    // titles of all, texts of the controls in the baselines, as published in usnistgov/oscal-content 5.1.1+u4
    licence: publicDomain,
  }),
  framework('nis2-article-21', {
    version: '2022/2555',
    title: 'NIS2 Directive, Article 21',
    publisher: 'European Union',
    licence:
      'Text of Directive (EU) 2022/2555, reuse under Decision 2011/833/EU; titles outside of 21 (2) in our own words.',
  }),
  framework('hipaa-security-rule', {
    version: '45 CFR 164 subpart C',
    title: 'HIPAA Security Rule: technical and asset safeguards',
    publisher: 'US Department of Health and Human Services',
    licence: 'Sections of a US regulation, public domain; titles in our own words.',
  }),
  framework('cra-annex-1', {
    version: '2024/2847',
    title: 'Cyber Resilience Act, Annex I',
    publisher: 'European Union',
    licence:
      'Points of Regulation (EU) 2024/2847, reuse under Decision 2011/833/EU; titles in our own words.',
  }),
  framework('cis-8.1', {
    version: '8.1',
    title: 'CIS Controls',
    publisher: 'Center for Internet Security',
    licence: ownWords('the Center for Internet Security'),
  }),
  framework('iso-27001-2022', {
    version: '2022',
    title: 'ISO/IEC 27001 Annex A',
    publisher: 'ISO and IEC',
    licence: ownWords('ISO'),
  }),
  framework('pci-dss-4.0.1', {
    version: '4.0.1',
    title: 'PCI DSS',
    publisher: 'PCI Security Standards Council',
    licence: ownWords('the PCI Security Standards Council'),
  }),
  framework('soc-2', {
    version: '2017, points of focus revised 2022',
    title: 'SOC 2: Trust Services Criteria',
    publisher: 'AICPA',
    licence: ownWords('the AICPA'),
  }),
]

const bySlug = new Map(frameworks.map((it) => [it.slug, it]))
const byId = new Map(
  frameworks.flatMap(({ controls }) => controls.map((it) => [keyOf(it.framework, it.id), it])),
)

export const frameworkOf = (slug: string): Framework | undefined => bySlug.get(slug)
/** Its slug where it is not in the catalogue. */
export const titleOfFramework = (slug: string): string => bySlug.get(slug)?.title ?? slug
/** By what `keyOf` makes of it. */
export const controlOfKey = (key: string): Control | undefined => byId.get(key)
export const controlOf = (slug: string, id: string): Control | undefined => byId.get(keyOf(slug, id))
/** One that can have a status; a heading has none. */
export function assessableControlOf(slug: string, id: string): Control | undefined {
  const control = controlOf(slug, id)
  return control?.isHeading ? undefined : control
}

/**
 * The text of a control that comes with the product, where the licence allows that; undefined: its title is all. Read
 * from its file each time, since few of them are asked for.
 */
export async function textOf(slug: string, controlId: string): Promise<string | undefined> {
  if (!WITH_TEXTS.includes(slug)) return undefined
  const file = await readFile(dataFile(slug, 'texts.json'), 'utf8')
  return new Map(Object.entries(JSON.parse(file) as Record<string, string>)).get(controlId)
}

/** Of a control among those of all frameworks. */
export function keyOf(slug: string, controlId: string): string {
  return `${slug} ${controlId}`
}

/** A line for each control: id, parent, title, and `heading` for those that are none, with tabs between them. */
function framework(slug: string, about: Omit<Framework, 'slug' | 'controls'>): Framework {
  const lines = readFileSync(dataFile(slug, 'tsv'), 'utf8').trimEnd().split('\n')
  const controls = lines.map((line): Control => {
    const [id = '', parentId = '', title = '', kind = ''] = line.split('\t')
    return { framework: slug, id, parentId, title, isHeading: kind === 'heading' }
  })
  return { slug, ...about, controls }
}

function dataFile(slug: string, ending: string): URL {
  return new URL(`data/${slug.replaceAll('.', '-')}.${ending}`, import.meta.url)
}
