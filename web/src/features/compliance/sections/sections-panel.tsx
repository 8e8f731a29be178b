import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ComplianceSectionsDocument } from '#api/generated/compliance.ts'
import { q } from '#api/query-client.ts'
import { count, percent } from '#lib/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { scoreOf, sectionsOf, type Section } from './sections.ts'
import styles from './sections-panel.module.css'

/** The functions or families of a framework with their figures, and below them what nothing judges. */
export function SectionsPanel({ framework }: { readonly framework: string }) {
  const { data } = useQuery(q(ComplianceSectionsDocument, { framework }))
  const sections = data && sectionsOf(data.complianceControls)
  const unjudged = (sections ?? []).filter(({ notAssessed }) => notAssessed.length > 0)
  return (
    <>
      <Panel isFlush title="Sections">
        <DataTable
          label="Sections"
          columns={columns}
          rows={sections}
          keyOf={({ id }) => id}
          empty={<p className="quiet">The framework has no controls.</p>}
        />
      </Panel>
      {unjudged.length > 0 && (
        <Panel title="Not assessed">
          <p>
            No check judges these. They stay open until somebody attests them, or a check of your own asks.
          </p>
          {unjudged.map((section) => (
            <details key={section.id} className={styles['section']}>
              <summary>
                {section.title}: {count(section.notAssessed.length)}
              </summary>
              <ul className={styles['controls']}>
                {section.notAssessed.map(({ id, title }) => (
                  <li key={id}>
                    <Link
                      to="/compliance/$framework/controls/$controlId"
                      params={{ framework, controlId: id }}
                    >
                      {`${id} ${title}`}
                    </Link>
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </Panel>
      )}
    </>
  )
}

const judged = ({ counts: { pass, warning, fail } }: Section): number => pass + warning + fail

const total = ({ counts }: Section): number => Object.values(counts).reduce((sum, n) => sum + n, 0)

const columns: readonly Column<Section>[] = [
  { title: 'Section', cell: ({ id, title }) => (id === '' ? title : `${id} ${title}`) },
  {
    title: 'Score',
    cell: (section) => {
      const score = scoreOf(section)
      return score === null ? <span className="quiet">not judged</span> : percent(score)
    },
  },
  {
    title: 'Judged',
    cell: (section) => `${count(judged(section))} of ${count(total(section))}`,
  },
  { title: 'Fail', cell: ({ counts }) => count(counts.fail) },
  { title: 'Warning', isMinor: true, cell: ({ counts }) => count(counts.warning) },
]
