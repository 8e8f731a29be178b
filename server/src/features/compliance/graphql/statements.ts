import { given, type EnumOf, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import { titleOfFramework } from '../catalogue/catalogue.ts'
import {
  implementations,
  statementStates,
  type Implementation,
  type RowDifference,
  type Statement,
  type StatementRow,
} from '../statements/statement.ts'
import {
  approveStatement,
  compareStatements,
  draftStatement,
  editRows,
  getStatement,
  listStatements,
  pasteRows,
  returnStatement,
  statementProof,
  statementRows,
  submitStatement,
} from '../statements/statements.ts'
import type { StatedControl } from '../statements/stated-controls.ts'
import type { ControlStatus } from '../evaluation/status.ts'
import type { ComplianceTypes } from './object-types.ts'

/** Statements of applicability. Their files are made in the room of reports. */

/** The number of controls of the largest framework that comes with the product, rounded up. */
const ROWS_EXPECTED = 1_300
const STATEMENTS_EXPECTED = 100
/** Few rows differ between two versions; the app asks for both sides of each in full. */
const DIFFERENCES_EXPECTED = 500

interface StatementTypes {
  readonly statement: TypeOf<Statement>
  readonly row: TypeOf<StatedControl>
  readonly difference: TypeOf<RowDifference>
  readonly implementation: EnumOf<ImplementationName>
}

/** GraphQL has no empty name of an enum: what nobody said yet is `unstated`. */
const implementationNames = ['unstated', 'planned', 'partly', 'implemented', 'alternative'] as const
type ImplementationName = (typeof implementationNames)[number]
const nameOf = (it: Implementation): ImplementationName => (it === '' ? 'unstated' : it)
const implementationOf = (name: ImplementationName): Implementation =>
  implementations.find((it) => it === name) ?? ''

export function addStatements(schema: Schema, { status }: Pick<ComplianceTypes, 'status'>): void {
  const types = addTypes(schema, status)
  addQueries(schema, types)
  addWriting(schema, types)
  addReview(schema, types)
}

function addTypes(schema: Schema, status: EnumOf<ControlStatus>): StatementTypes {
  const implementation = schema.enumType('StatementImplementation', { values: implementationNames })
  const plain = rowType(schema, implementation)
  return {
    implementation,
    statement: statementType(schema),
    row: schema.objectRef<StatedControl>('StatedControl').implement({
      fields: (t) => ({
        controlId: t.exposeID('controlId'),
        title: t.exposeString('title'),
        status: t.expose('status', {
          type: status,
          description: 'When the statement was approved; of one that is not, now.',
        }),
        isApplicable: t.exposeBoolean('isApplicable'),
        justification: t.exposeString('justification', { description: 'Of inclusion, or of exclusion.' }),
        implementation: t.field({ type: implementation, resolve: (it) => nameOf(it.implementation) }),
        owner: t.exposeString('owner'),
        measures: t.exposeString('measures'),
        evidence: t.exposeString('evidence', { description: 'Where it is found.' }),
        risks: t.exposeString('risks', { description: 'That the control treats.' }),
        reviewedOn: t.exposeString('reviewedOn', { description: 'YYYY-MM-DD, or empty.' }),
        nextReviewOn: t.exposeString('nextReviewOn', { description: 'YYYY-MM-DD, or empty.' }),
        exceptions: t.stringList({
          description: 'From its checks, in words; when the statement was approved, or now.',
          resolve: ({ exceptions }) => [...exceptions],
        }),
        isNew: t.exposeBoolean('isNew', {
          description: 'The version before lacks the control, because the framework has changed.',
        }),
      }),
    }),
    difference: schema.objectRef<RowDifference>('StatementRowDifference').implement({
      fields: (t) => ({
        controlId: t.exposeID('controlId'),
        before: t.field({ type: plain, nullable: true, resolve: (it) => it.before }),
        after: t.field({ type: plain, nullable: true, resolve: (it) => it.after }),
      }),
    }),
  }
}

const rowType = (schema: Schema, implementation: EnumOf<ImplementationName>): TypeOf<StatementRow> =>
  schema.objectRef<StatementRow>('StatementRow').implement({
    fields: (t) => ({
      controlId: t.exposeID('controlId'),
      isApplicable: t.exposeBoolean('isApplicable'),
      justification: t.exposeString('justification', { description: 'Of inclusion, or of exclusion.' }),
      implementation: t.field({ type: implementation, resolve: (it) => nameOf(it.implementation) }),
      owner: t.exposeString('owner'),
      measures: t.exposeString('measures'),
      evidence: t.exposeString('evidence', { description: 'Where it is found.' }),
      risks: t.exposeString('risks', { description: 'That the control treats.' }),
      reviewedOn: t.exposeString('reviewedOn', { description: 'YYYY-MM-DD, or empty.' }),
      nextReviewOn: t.exposeString('nextReviewOn', { description: 'YYYY-MM-DD, or empty.' }),
    }),
  })

const statementType = (schema: Schema): TypeOf<Statement> => {
  const state = schema.enumType('StatementState', { values: statementStates })
  return schema.objectRef<Statement>('ComplianceStatement').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      framework: t.exposeID('framework'),
      frameworkTitle: t.string({ resolve: ({ framework }) => titleOfFramework(framework) }),
      version: t.exposeInt('version'),
      state: t.expose('state', { type: state }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      createdBy: t.exposeString('createdByName'),
      submittedAt: t.expose('submittedAt', { type: 'DateTime', nullable: true }),
      submittedBy: t.exposeString('submittedByName', { nullable: true }),
      approvedAt: t.expose('approvedAt', { type: 'DateTime', nullable: true }),
      approvedBy: t.exposeString('approvedByName', { nullable: true }),
      approvedRole: t.exposeString('approvedRole', { nullable: true }),
      digest: t.exposeString('digest', {
        nullable: true,
        description: 'SHA-256 of what was approved, hexadecimal.',
      }),
    }),
  })
}

function addQueries(schema: Schema, { statement, row, difference }: StatementTypes): void {
  schema.queryFields((t) => ({
    complianceStatements: t.field({
      type: [statement],
      description: 'The newest version of each framework first; of one framework alone if given.',
      args: { framework: t.arg.id() },
      complexity: { field: 1, multiplier: STATEMENTS_EXPECTED },
      resolve: (_, { framework }, ctx) => listStatements(ctx, framework ?? null),
    }),
    complianceStatement: t.field({
      type: statement,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => getStatement(ctx, id),
    }),
    complianceStatementRows: t.field({
      type: [row],
      description: 'In the order of the framework.',
      args: { id: t.arg.id({ required: true }) },
      complexity: { field: 1, multiplier: ROWS_EXPECTED },
      resolve: (_, { id }, ctx) => statementRows(ctx, id),
    }),
    complianceStatementDifferences: t.field({
      type: [difference],
      description: 'Rows that differ between two statements of a framework.',
      args: { before: t.arg.id({ required: true }), after: t.arg.id({ required: true }) },
      complexity: { field: 1, multiplier: DIFFERENCES_EXPECTED },
      resolve: (_, { before, after }, ctx) => compareStatements(ctx, before, after),
    }),
    complianceStatementProof: t.field({
      type: 'JSON',
      description: 'An approved statement as a file that `rollcall verify` checks.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => statementProof(ctx, id),
    }),
  }))
}

function addWriting(schema: Schema, { statement, implementation }: StatementTypes): void {
  const edit = schema.inputType('StatementRowsEdit', {
    fields: (t) => ({
      isApplicable: t.boolean(),
      justification: t.string(),
      implementation: t.field({ type: implementation }),
      owner: t.string(),
      measures: t.string(),
      evidence: t.string(),
      risks: t.string(),
      reviewedOn: t.string({ description: 'YYYY-MM-DD, or empty.' }),
      nextReviewOn: t.string({ description: 'YYYY-MM-DD, or empty.' }),
    }),
  })
  schema.mutationFields((t) => ({
    draftComplianceStatement: t.field({
      type: statement,
      description: 'Begins the next version, with the rows of the approved one.',
      args: { framework: t.arg.id({ required: true }) },
      resolve: (_, { framework }, ctx) => draftStatement(ctx, framework),
    }),
    editComplianceStatement: t.int({
      description: 'The same change of some rows of a draft, all or none; answers how many changed.',
      args: {
        id: t.arg.id({ required: true }),
        controlIds: t.arg.idList({ required: true }),
        edit: t.arg({ type: edit, required: true }),
      },
      resolve: (_, { id, controlIds, edit: { implementation: name, ...more } }, ctx) =>
        editRows(ctx, id, {
          controlIds,
          ...given(more),
          ...(name && { implementation: implementationOf(name) }),
        }),
    }),
    pasteComplianceStatement: t.int({
      description:
        'Rows of a draft as a spreadsheet copies them, with tabs between cells and a first line of names; answers how many changed.',
      args: { id: t.arg.id({ required: true }), rows: t.arg.string({ required: true }) },
      resolve: (_, { id, rows }, ctx) => pasteRows(ctx, id, rows),
    }),
  }))
}

function addReview(schema: Schema, { statement }: StatementTypes): void {
  schema.mutationFields((t) => ({
    submitComplianceStatement: t.field({
      type: statement,
      description: 'Hands a draft to a second person.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => submitStatement(ctx, id),
    }),
    returnComplianceStatement: t.field({
      type: statement,
      description: 'Gives one that is in review back to its authors.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => returnStatement(ctx, id),
    }),
    approveComplianceStatement: t.field({
      type: statement,
      description: 'By another person than the one who submitted it.',
      args: { id: t.arg.id({ required: true }), role: t.arg.string({ required: true }) },
      resolve: (_, { id, role }, ctx) => approveStatement(ctx, id, role),
    }),
  }))
}
