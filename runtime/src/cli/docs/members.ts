import { literalsOf } from '@linker/sdk/host'
import { isSchema, type Schema } from '../json-schema.ts'

/** A row of the table of a schema. */
export interface MemberRow {
  /** `a.b` for a member of a member. */
  name: string
  value: string
  /** `required`, `none`, or the default as JSON. */
  absent: string
  meaning: string
}

/** Lists the members of an object schema, those of members behind their own. */
export function membersOf (schema: object, prefix = '', isOptional = false): MemberRow[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, Schema>>,
    required?: readonly string[]
  }
  return Object.entries(properties).flatMap(([name, member]) => {
    const isRequired = required.includes(name) && !isOptional
    const row = { name: prefix + name, value: describeValue(member), absent: absentOf(member, isRequired) }
    const inner = member.type === 'object' ? membersOf(member, `${prefix}${name}.`, !isRequired) : []
    return [{ ...row, meaning: meaningOf(member) }, ...inner]
  })
}

function absentOf (member: Schema, isRequired: boolean): string {
  const usual = Object.hasOwn(member, 'default') ? code(JSON.stringify(member.default)) : undefined
  if (Object.hasOwn(member, 'initial')) {
    return `${code(JSON.stringify(member['initial']))} for new connections, else ${usual ?? 'none'}`
  }
  if (usual !== undefined) return usual
  return isRequired ? 'required' : 'none'
}

function meaningOf ({ title, description, secret, connection, deprecated }: Schema): string {
  const texts = [title, description].filter(text => typeof text === 'string')
  return [
    ...deprecated === true ? ['deprecated'] : [],
    ...secret === true ? ['secret'] : [],
    ...connection === true ? ['id of a connection to call'] : [],
    ...texts
  ].join('; ')
}

/** The values that a schema accepts, in words. Only `JSON` where words would not do. */
export function describeValue (schema: Schema): string {
  const literals = literalsOf(schema)
  if (literals !== undefined) return literals.map(value => code(JSON.stringify(value))).join(' or ')
  switch (schema.type) {
    case 'string':
      return describeText(schema)
    case 'integer':
      return `whole number${describeRange(schema)}`
    case 'number':
      return `number${describeRange(schema)}`
    case 'boolean':
      return '`true` or `false`'
    case 'array':
      return `list of ${isSchema(schema.items) ? describeValue(schema.items) : 'JSON'}`
    case 'object':
      return 'object'
    default:
      return 'JSON'
  }
}

function describeText ({ format, maxLength, pattern }: Schema): string {
  const most = typeof maxLength === 'number' ? `, up to ${maxLength} characters` : ''
  const form = typeof pattern === 'string' ? `, of the form ${code(pattern)}` : ''
  return `text${typeof format === 'string' ? ` (${format})` : ''}${most}${form}`
}

function describeRange ({ minimum, maximum }: Schema): string {
  if (typeof minimum === 'number' && typeof maximum === 'number') return ` from ${minimum} to ${maximum}`
  if (typeof minimum === 'number') return `, at least ${minimum}`
  return typeof maximum === 'number' ? `, at most ${maximum}` : ''
}

/** A text as code in Markdown. */
export function code (text: string): string {
  return `\`${text}\``
}
