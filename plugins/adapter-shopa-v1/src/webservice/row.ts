/**
 * One record of the shop. Its members are as loosely typed as they came: numbers, numeric strings,
 * booleans or nothing.
 */
export type Row = Readonly<Record<string, unknown>>

/**
 * Reads the records of a member that is a flat array, a wrapped array (`{ image: [...] }`), or a
 * single object instead of an array.
 */
export function rowsIn (value: unknown): Row[] {
  const inner = isRow(value) && !Object.hasOwn(value, 'id') ? onlyMember(value) : value
  if (Array.isArray(inner)) return inner.filter(isRow)
  return isRow(inner) ? [inner] : []
}

/**
 * Returns the value of the only member; `undefined` when there is none or more than one. The
 * member's name is never computed: singulars are irregular.
 */
export function onlyMember (row: Row): unknown {
  const values = Object.values(row)
  return values.length === 1 ? values[0] : undefined
}

/** Reads the ids under `associations.<name>`, in the order of the shop. */
export function associatedIds (row: Row, name: string): string[] {
  const associations = isRow(row.associations) ? row.associations : {}
  return rowsIn(associations[name]).map(record => text(record.id)).filter(id => id !== undefined)
}

/** Reads a scalar as text; `undefined` for a value that is absent, empty or not a scalar. */
export function text (value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Returns the members of a record that have a value, as a PUT must repeat them. */
export function scalarsOf (row: Row): Record<string, string> {
  const scalars = Object.entries(row).flatMap(([name, value]): [string, string][] => {
    const kept = typeof value === 'boolean' ? String(Number(value)) : text(value)
    return kept === undefined ? [] : [[name, kept]]
  })
  return Object.fromEntries(scalars)
}

/** Reads a whole number; `undefined` when it is unknown. `''` and `null` are unknown, not zero. */
export function integer (value: unknown): number | undefined {
  const number = Number(text(value) ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : undefined
}

/** Reads an id of another record. Absent means 0, because the shop drops falsy members. */
export function reference (value: unknown): string {
  return text(value) ?? '0'
}

/** Whether a flag is set, in any of the forms the shop writes (`"1"`, `1`, `true`). */
export function isSet (value: unknown): boolean {
  return ['1', 'true'].includes(text(value) ?? '')
}

/**
 * Whether a flag is known to be off. When a list lacks the member, this version of the shop does
 * not have it.
 */
export function isOff (value: unknown): boolean {
  return value !== undefined && !isSet(value)
}

/**
 * Reads a localised text. It is plain when the shop has one language; otherwise it has one entry
 * per language, in JSON and in XML.
 */
export function localized (value: unknown, languageId: string | undefined): string | undefined {
  if (!isRow(value) && !Array.isArray(value)) return text(value)
  const entries = rowsIn(value)
  const wanted = entries.find(entry => text(entry.id) === languageId)
  return text(wanted?.value) ?? entries.map(entry => text(entry.value)).find(Boolean)
}

export function isRow (value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
