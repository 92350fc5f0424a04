export type FieldType = 'integer' | 'decimal' | 'boolean' | 'text' | 'date' | 'localised'

export interface Field {
  type: FieldType
  /** The shop computes the value on reading, so no filter can use it (code 34). */
  computed?: true
  /** The shop refuses a write that carries it (code 93). */
  readOnly?: true
  /** A write that creates or replaces the record must carry it (code 41). */
  required?: true
  /** The shop refuses a longer text (code 84). */
  maxLength?: number
  /** The shop refuses a text that does not match (code 84). */
  pattern?: RegExp
  /** The resource whose id the value is. XML shows its address as an attribute. */
  references?: string
}

export const text: Field = { type: 'text' }
export const decimal: Field = { type: 'decimal' }
export const boolean: Field = { type: 'boolean' }
export const date: Field = { type: 'date' }
export const localised: Field = { type: 'localised' }

/** Makes a field that holds the id of a record of another resource. */
export function reference (references: string): Field {
  return { type: 'integer', references }
}
