import type { Field } from './fields.ts'

export interface Resource {
  singular: string
  /** The class name in validation messages. */
  model: string
  /** All fields but `id`, in the order of the answer. */
  fields: Record<string, Field>
  /** The name of one entry, by the name of the list. */
  associations: Record<string, string>
  /** Associations that a write replaces; it does not change the others. */
  writableAssociations: readonly string[]
  /** Columns with an index. */
  indexed: readonly string[]
  /** Methods that the shop answers with 405 and code 101, whatever the key permits. */
  forbiddenMethods: readonly string[]
}
