export type FieldType = 'integer' | 'decimal' | 'boolean' | 'text' | 'date' | 'localised'

export interface Field {
  type: FieldType
  /** Made up on reading, so no filter can use it (code 34). */
  computed?: true
  /** A write that carries it is refused (code 93). */
  readOnly?: true
  /** A write that creates or replaces the record must carry it (code 41). */
  required?: true
  /** A longer text is not valid (code 84). */
  maxLength?: number
  /** Another text is not valid (code 84). */
  pattern?: RegExp
  /** The resource that the value is an id of: its address is an attribute in XML. */
  references?: string
}

export const text: Field = { type: 'text' }
export const decimal: Field = { type: 'decimal' }
export const boolean: Field = { type: 'boolean' }
export const date: Field = { type: 'date' }
export const localised: Field = { type: 'localised' }

/** The id of a record of another resource. */
export function reference (references: string): Field {
  return { type: 'integer', references }
}
