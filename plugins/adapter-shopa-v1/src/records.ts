/**
 * One record of the shop, its members as loosely typed as they came: numbers, numeric strings,
 * booleans or nothing.
 */
export type Row = Readonly<Record<string, unknown>>

/**
 * The records in a member that is a flat array, a wrapped one (`{ image: [...] }`), or a single
 * object where an array was expected.
 */
export function records (value: unknown): Row[] {
  const inner = isRow(value) && !Object.hasOwn(value, 'id') ? onlyMember(value) : value
  if (Array.isArray(inner)) return inner.filter(isRow)
  return isRow(inner) ? [inner] : []
}

/**
 * The value of the only member; `undefined` when there is none or more than one. Its name is never
 * computed: singulars are irregular.
 */
export function onlyMember (row: Row): unknown {
  const values = Object.values(row)
  return values.length === 1 ? values[0] : undefined
}

/** Ids under `associations.<name>`, in the order of the shop. */
export function associatedIds (row: Row, name: string): string[] {
  const associations = isRow(row.associations) ? row.associations : {}
  return records(associations[name]).map(record => text(record.id)).filter(id => id !== undefined)
}

/** A scalar as text; `undefined` for what is absent, empty or not a scalar. */
export function text (value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A whole number, or `undefined` when it is not known. `''` and `null` are unknown, not zero. */
export function integer (value: unknown): number | undefined {
  const number = Number(text(value) ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : undefined
}

/** An id that refers to another record; absent means 0, because the shop drops falsy members. */
export function reference (value: unknown): string {
  return text(value) ?? '0'
}

/** Whether a flag is set, in any of the forms the shop writes (`"1"`, `1`, `true`). */
export function isSet (value: unknown): boolean {
  return ['1', 'true'].includes(text(value) ?? '')
}

/**
 * Whether a flag is known not to be set. A member that is missing in a list is one that this
 * version of the shop does not have.
 */
export function isOff (value: unknown): boolean {
  return value !== undefined && !isSet(value)
}

/**
 * A localised text: plain when the shop has one language, else one entry per language, in JSON and
 * in XML.
 */
export function localized (value: unknown, languageId: string | undefined): string | undefined {
  if (!isRow(value) && !Array.isArray(value)) return text(value)
  const entries = records(value)
  const wanted = entries.find(entry => text(entry.id) === languageId)
  return text(wanted?.value) ?? entries.map(entry => text(entry.value)).find(Boolean)
}

export function isRow (value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
