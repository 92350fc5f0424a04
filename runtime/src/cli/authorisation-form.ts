import { connectionIdMember, connectionNameMember } from '@linker/sdk/host/text'
import { HubError } from './hub-client.ts'

/** The values for a form: texts of the command line, and values that the command knows itself. */
export interface Given {
  /** `--set`, by member. */
  texts: ReadonlyMap<string, string>
  /** The members of `--secret`. Their values are read only when nothing else is missing. */
  secrets: ReadonlySet<string>
  /** Whether the command can ask for secrets that are missing. */
  canAsk: boolean
  /** The name and, for a connection that is authorised again, the id and the config. */
  known: Readonly<Record<string, unknown>>
}

export interface FilledForm {
  /** The body of the request, without the secrets. */
  values: Record<string, unknown>
  /** The required secrets that the command has to ask for. */
  asked: string[]
}

interface Schema {
  type?: unknown
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  title?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  secret?: unknown
}

const ofCommand: readonly string[] = [connectionNameMember, connectionIdMember]

/** Whether the form of an authorisation can name a connection that is authorised again. */
export function canAuthoriseAgain (form: object): boolean {
  return Object.hasOwn(membersOf(form), connectionIdMember)
}

/**
 * Fills in the form of an authorisation. Throws when a member is unknown, missing or in the wrong
 * option; the error names every such member.
 */
export function fillForm (form: object, { texts, secrets, canAsk, known }: Given): FilledForm {
  const members = membersOf(form)
  const names = Object.keys(members).filter(name => !ofCommand.includes(name))
  const unknown = [...texts.keys(), ...secrets].filter(name => !names.includes(name))
  if (unknown.length > 0) {
    throw new HubError([
      `the form has no member ${unknown.map(name => `'${name}'`).join(', ')} to set; it has:`,
      ...names.map(name => describeMember(name, members[name]))
    ].join('\n'))
  }
  const exposed = names.find(name => texts.has(name) && isSecret(members[name]))
  if (exposed !== undefined) {
    throw new HubError(`'${exposed}' is a secret, and other users of this machine can read arguments: give it with ` +
      `--secret ${exposed}=<file>`)
  }
  const values = {
    ...Object.fromEntries(Object.entries(known).filter(([name]) => Object.hasOwn(members, name))),
    ...Object.fromEntries([...texts].map(([name, text]) => [name, valueOf(members[name], name, text)]))
  }
  const missing = ((form as Schema).required ?? []).filter(name =>
    !Object.hasOwn(values, name) && !secrets.has(name) && members[name]?.default === undefined
  )
  const asked = missing.filter(name => canAsk && isSecret(members[name]))
  if (missing.length > asked.length) {
    throw new HubError([
      'the form lacks members; add:',
      ...missing.filter(name => !asked.includes(name)).map(name => describeMember(name, members[name]))
    ].join('\n'))
  }
  return { values, asked }
}

function membersOf (form: object): Readonly<Record<string, Schema>> {
  return (form as Schema).properties ?? {}
}

function isSecret (member: Schema | undefined): boolean {
  return member?.secret === true
}

/** Describes a member as the option that gives it. */
function describeMember (name: string, member: Schema = {}): string {
  const { title, description = title } = member
  const choices = (member.anyOf ?? member.oneOf ?? []).map(choice => choice.const)
  const values = member.enum ?? (choices.every(value => value !== undefined) ? choices : [])
  const value = isSecret(member) ? '<file>' : values.length > 0 ? values.map(String).join('|') : '<value>'
  return `  --${isSecret(member) ? 'secret' : 'set'} ${name}=${value}${
    description === undefined ? '' : `  ${description.replaceAll(/\s+/g, ' ')}`
  }`
}

function valueOf (member: Schema | undefined, name: string, text: string): unknown {
  if (member === undefined || takesText(member)) return text
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HubError(`--set ${name} is not JSON, and the form expects no text there`, { cause: error })
  }
}

function takesText (schema: Schema): boolean {
  const { type, enum: values, anyOf, oneOf } = schema
  if (type !== undefined) return Array.isArray(type) ? type.includes('string') : type === 'string'
  if ('const' in schema) return typeof schema.const === 'string'
  if (values !== undefined) return values.some(value => typeof value === 'string')
  const choices = anyOf ?? oneOf
  return choices === undefined || choices.some(takesText)
}
