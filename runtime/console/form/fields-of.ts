/** The part of a JSON Schema that the form reads. */
export interface Schema {
  type?: unknown
  title?: string
  description?: string
  default?: unknown
  initial?: unknown
  examples?: readonly unknown[]
  deprecated?: boolean
  secret?: boolean
  group?: string
  unit?: string
  optionsFrom?: string
  format?: string
  pattern?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  minimum?: number
  maximum?: number
  maxLength?: number
}

export interface Choice {
  value: unknown
  label: string
}

type Input =
  | { kind: 'text', look: 'text' | 'url' | 'password' | 'lines' }
  | { kind: 'number', isWhole: boolean, least?: number | undefined, most?: number | undefined }
  | { kind: 'boolean' }
  | { kind: 'choice', look: 'radio' | 'select', choices: readonly Choice[] }
  | { kind: 'texts' }
  | { kind: 'rows', fields: readonly Field[] }
  | { kind: 'object', fields: readonly Field[] }
  | { kind: 'json' }

/** One member of the form. */
export type Field = Input & {
  name: string,
  label: string,
  description?: string | undefined,
  example?: unknown,
  default?: unknown,
  unit?: string | undefined,
  /** The route of the adapter that offers values. */
  optionsFrom?: string | undefined,
  group?: string | undefined,
  isRequired: boolean,
  isSecret: boolean,
  isDeprecated: boolean
}

/** More choices than this become a list that opens. */
const mostRadios = 4
/** Longer texts get several lines. */
const longestLine = 500
/** A secret this long is a key with line breaks, which a line for a password would remove. */
const longestPassword = 2_000
/** Objects in objects of the form; deeper ones are JSON. */
const deepest = 1

/** The fields of an object schema. Undefined: it is no object, so the whole value is JSON. */
export function fieldsOf (schema: Schema, depth = 0): readonly Field[] | undefined {
  if (schema.type === 'null') return []
  const { properties, required = [] } = schema
  if (schema.type !== 'object' || properties === undefined) return undefined
  return Object.entries(properties).map(([name, member]) => ({
    ...inputOf(name, member, depth),
    name,
    label: member.title ?? labelOf(name),
    description: member.description,
    example: member.examples?.[0],
    default: member.default,
    unit: member.unit,
    optionsFrom: member.optionsFrom,
    group: member.group,
    // The hub fills in defaults before it checks the schema.
    isRequired: required.includes(name) && member.default === undefined,
    isSecret: member.secret === true,
    isDeprecated: member.deprecated === true
  }))
}

/** The values with which the settings of a new connection begin. */
export function initialOf ({ properties = {} }: Schema): Record<string, unknown> {
  const initial = Object.entries(properties).flatMap(([name, member]) =>
    member.initial === undefined ? [] : [[name, member.initial]]
  )
  return Object.fromEntries(initial)
}

/** The fields under their headings, in the order in which the headings appear. */
export function sectionsOf (fields: readonly Field[]): readonly { heading: string | undefined, fields: Field[] }[] {
  const sections = new Map<string | undefined, Field[]>()
  for (const field of fields) sections.set(field.group, [...sections.get(field.group) ?? [], field])
  return [...sections].map(([heading, members]) => ({ heading, fields: members }))
}

const capitals = new Map(['api', 'id', 'ip', 'sku', 'ean', 'uri', 'url', 'vat'].map(word => [word, word.toUpperCase()]))

/** Makes a label from the name of a member, such as `API key` from `apiKey`. */
export function labelOf (name: string): string {
  const words = name.split(/(?<=[a-z0-9])(?=[A-Z])|[_-]+/).map(word => word.toLowerCase())
  const label = words.map(word => capitals.get(word) ?? word).join(' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}

function inputOf (name: string, schema: Schema, depth: number): Input {
  const choices = choicesOf(schema)
  if (choices !== undefined) {
    return { kind: 'choice', look: choices.length <= mostRadios ? 'radio' : 'select', choices }
  }
  if (schema.anyOf !== undefined || schema.oneOf !== undefined) return { kind: 'json' }
  switch (schema.type) {
    case 'string':
      return { kind: 'text', look: lookOf(name, schema) }
    case 'number':
    case 'integer':
      return { kind: 'number', isWhole: schema.type === 'integer', least: schema.minimum, most: schema.maximum }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array':
      return listOf(schema.items ?? {}, depth)
    default:
      return objectOf(schema, depth)
  }
}

function choicesOf ({ enum: values, anyOf, oneOf }: Schema): readonly Choice[] | undefined {
  const found = values?.map(value => ({ const: value } as Schema)) ?? anyOf ?? oneOf
  if (found === undefined || found.length === 0) return undefined
  if (!found.every(choice => ['string', 'number', 'boolean'].includes(typeof choice.const))) return undefined
  return found.map(choice => ({ value: choice.const, label: choice.title ?? String(choice.const) }))
}

function lookOf (
  name: string,
  { secret, format, pattern, maxLength = 0 }: Schema
): 'text' | 'url' | 'password' | 'lines' {
  if (secret === true) return maxLength > longestPassword ? 'lines' : 'password'
  if (format === 'uri' || pattern?.startsWith('^https?:') === true || /(?:^u|U)rl$/.test(name)) return 'url'
  return maxLength > longestLine ? 'lines' : 'text'
}

function listOf (items: Schema, depth: number): Input {
  if (items.type === 'string' && choicesOf(items) === undefined && items.secret !== true) return { kind: 'texts' }
  const fields = depth > deepest ? undefined : fieldsOf(items, deepest)
  const isFlat = fields?.every(({ kind }) => kind !== 'json' && kind !== 'object' && kind !== 'rows') === true
  return isFlat && fields.length > 0 ? { kind: 'rows', fields } : { kind: 'json' }
}

function objectOf (schema: Schema, depth: number): Input {
  const fields = depth >= deepest ? undefined : fieldsOf(schema, depth + 1)
  return fields === undefined || fields.length === 0 ? { kind: 'json' } : { kind: 'object', fields }
}
