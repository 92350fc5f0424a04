import type { Field } from './fields.ts'

export interface Resource {
  singular: string
  /** The class name that validation messages carry. */
  model: string
  /** Without `id`, in the order of the answer. */
  fields: Record<string, Field>
  /** Name of the list to the name of one entry. */
  associations: Record<string, string>
  /** Associations that a write replaces; it leaves the others as they are. */
  writableAssociations: readonly string[]
  /** Columns by which rows are found without reading all of them. */
  indexed: readonly string[]
  /** Answered 405 with code 101, whatever the key permits. */
  forbiddenMethods: readonly string[]
}
