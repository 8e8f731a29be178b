import type { Framework, StatedControl, Statement } from '#features/compliance/compliance.ts'
import { namedUuid } from '#platform/uuid.ts'
import { profileResource, type Resource } from './oscal-catalog.ts'
import { markup, OSCAL_VERSION, oneLine, oscalId, properties } from './oscal-text.ts'

/** A statement of applicability as an OSCAL system security plan. */

export interface Stated {
  readonly tenantId: string
  readonly organisation: string
  readonly framework: Framework
  readonly statement: Statement
  readonly rows: readonly StatedControl[]
}

/** What the rows say of implementation, in the words of OSCAL; what nobody said is not in the plan. */
const states = {
  planned: 'planned',
  partly: 'partial',
  implemented: 'implemented',
  alternative: 'alternative',
} as const

/**
 * The same statement is the same document, byte for byte. Excluded controls are in it as `not-applicable`, with the
 * reason; the profile that it imports is a resource within it.
 */
export function securityPlanOf(stated: Stated) {
  const { framework, statement, organisation, tenantId } = stated
  const at = statement.approvedAt ?? statement.createdAt
  const profile: Resource = profileResource(framework, at)
  const system = idOf(statement, 'this-system')
  return {
    'system-security-plan': {
      uuid: idOf(statement, 'plan'),
      metadata: metadataOf(stated, at),
      'import-profile': { href: `#${profile.uuid}`, remarks: 'The profile is a resource of this document.' },
      'system-characteristics': {
        'system-ids': [{ id: tenantId }],
        'system-name': oneLine(organisation),
        description: markup(`What ${organisation} has as assets in its inventory.`),
        'system-information': {
          'information-types': [
            {
              uuid: idOf(statement, 'information'),
              title: 'Information on assets',
              description: 'Types of information are not part of a statement of applicability.',
            },
          ],
        },
        status: { state: 'operational' },
        'authorization-boundary': { description: 'All assets of the inventory.' },
      },
      'system-implementation': {
        users: [{ uuid: idOf(statement, 'user'), title: 'Owners of controls', 'role-ids': ['owner'] }],
        components: [
          {
            uuid: system,
            type: 'this-system',
            title: oneLine(organisation),
            description: 'The organisation and its assets.',
            status: { state: 'operational' },
          },
        ],
      },
      'control-implementation': {
        description: markup(
          `Which controls of ${framework.title} ${framework.version} apply, why, and how far they are implemented.`,
        ),
        'implemented-requirements': stated.rows.map((row) => requirementOf(stated, row, system)),
      },
      'back-matter': { resources: [profile] },
    },
  }
}

function metadataOf({ framework, statement, rows }: Stated, at: string) {
  const approver = statement.approvedByName
  const owners = [...new Set(rows.flatMap(({ owner }) => (owner.trim() === '' ? [] : [oneLine(owner)])))]
  const names = [...new Set([...owners, ...(approver === null ? [] : [oneLine(approver)])])]
  return {
    title: `Statement of applicability: ${framework.title} ${framework.version}, version ${statement.version}`,
    'last-modified': at,
    version: String(statement.version),
    'oscal-version': OSCAL_VERSION,
    props: properties({ state: statement.state, 'statement-sha256': statement.digest ?? '' }),
    roles: [
      { id: 'owner', title: 'Owner of a control' },
      { id: 'approver', title: 'Approved the statement' },
    ],
    ...(names.length > 0 && {
      parties: names.map((name) => ({ uuid: idOf(statement, `party ${name}`), type: 'person', name })),
    }),
    ...(approver !== null && {
      'responsible-parties': [
        {
          'role-id': 'approver',
          'party-uuids': [idOf(statement, `party ${oneLine(approver)}`)],
          ...(statement.approvedRole && { remarks: markup(statement.approvedRole) }),
        },
      ],
    }),
  }
}

function requirementOf({ statement }: Stated, row: StatedControl, system: string) {
  const { controlId, isApplicable, justification, implementation, measures, owner } = row
  const state = isApplicable ? implementation && states[implementation] : 'not-applicable'
  const remarks = [
    justification && `${isApplicable ? 'Included' : 'Excluded'}: ${justification}`,
    row.risks && `Risks: ${row.risks}`,
    row.evidence && `Evidence: ${row.evidence}`,
  ].filter((it) => it !== '')
  return {
    uuid: idOf(statement, `requirement ${controlId}`),
    'control-id': oscalId(statement.framework, controlId),
    props: [
      { name: 'label', value: oneLine(controlId) },
      ...properties({
        applicable: isApplicable ? 'yes' : 'no',
        'evaluated-status': row.status,
        'reviewed-on': row.reviewedOn,
        'next-review-on': row.nextReviewOn,
      }),
    ],
    ...(owner.trim() !== '' && {
      'responsible-roles': [
        { 'role-id': 'owner', 'party-uuids': [idOf(statement, `party ${oneLine(owner)}`)] },
      ],
    }),
    'by-components': [
      {
        'component-uuid': system,
        uuid: idOf(statement, `component ${controlId}`),
        description: markup(measures) || 'No measures are stated.',
        ...(state && { 'implementation-status': { state } }),
      },
    ],
    ...(remarks.length > 0 && { remarks: markup(remarks.join('\n\n')) }),
  }
}

const idOf = ({ id }: Statement, name: string): string => namedUuid(id, name)
