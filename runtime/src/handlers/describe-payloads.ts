import type { TSchema } from '@sinclair/typebox'
import type { JobDefinition } from '../jobs/define-job.ts'

interface Payload {
  properties?: Readonly<Record<string, TSchema>>
  required?: readonly string[]
}

/**
 * Describes the payload of each job type, as a list in Markdown. Leaves out optional members
 * without a description: the hub writes them for itself.
 */
export function describePayloads (definitions: readonly JobDefinition[]): string {
  const lines = definitions.map(({ type, payload }) => `- \`${type}\`: ${describeMembers(payload)}`)
  return `The members by job type; those with \`?\` may be left out:\n\n${lines.join('\n')}\n\n` +
    'The job types of an adapter have members of their own.'
}

function describeMembers (payload: TSchema): string {
  const { properties = {}, required = [] } = payload as Payload
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const { description } = schema
    if (required.includes(name)) return `\`${name}\`${describeValues(schema)}`
    return description === undefined ? [] : `\`${name}?\` (${description})`
  })
  return members.length === 0 ? 'none' : members.join(', ')
}

/** The texts of which a member is one. */
function describeValues (schema: TSchema): string {
  const { anyOf = [] } = schema as { anyOf?: readonly { const?: string }[] }
  const values = anyOf.flatMap(({ const: value }) => value ?? [])
  return values.length === 0 ? '' : ` (${values.join(', ')})`
}
