import type { AdapterDescription } from '../../host/describe.ts'
import { literalsOf } from '../../host/schema-literals.ts'
import type { Check } from './check.ts'
import { lacking } from './evidence.ts'
import { findings } from './finding.ts'
import type { Subject } from './subject.ts'

/** Judges the forms that people fill in: those of the schemas of config and credentials. */
export const formCheck: Check = {
  id: 'L1-SHP-11',
  level: 1,
  needs: 'import',
  title: 'every member of its config and credentials has a title or a description',
  prevents: 'operators saw a form of bare names, and guessed the meaning of each',
  async evidence (subject) {
    const hasMembers = (await formsOf(subject)).some(([name, schema]) => membersBelow(name, schema).length > 0)
    return lacking(hasMembers ? undefined : 'its config and credentials have no members')
  },
  async run (subject) {
    const members = (await formsOf(subject)).flatMap(([name, schema]) => membersBelow(name, schema))
    return findings(members.filter(({ schema }) => !isDescribed(schema)).map(({ name }) =>
      `${name} has neither a title nor a description`
    ))
  },
  async warn (subject) {
    const names = (await formsOf(subject)).flatMap(([name, schema]) => shownAsJson(name, schema))
    return findings(names.map(name => `a form can show ${name} as JSON only`))
  }
}

interface Node {
  type?: unknown
  title?: unknown
  description?: unknown
  properties?: Readonly<Record<string, Node>>
  patternProperties?: unknown
  additionalProperties?: unknown
  items?: unknown
}

interface Member {
  /** `config.prices.country`; `config.carriers[].methodId` for a member of items. */
  name: string
  schema: Node
}

async function formsOf ({ imported }: Subject): Promise<[string, Node][]> {
  const description: AdapterDescription | undefined = (await imported()).report?.description
  return description === undefined ? [] : [['config', description.config], ['credentials', description.credentials]]
}

function membersOf (name: string, { properties = {} }: Node): Member[] {
  return Object.entries(properties).map(([member, schema]) => ({ name: `${name}.${member}`, schema }))
}

/** The members of an object, and those of the objects and lists in it. */
function membersBelow (name: string, schema: Node): Member[] {
  const items = itemsOf(schema)
  return [
    ...membersOf(name, schema).flatMap(member => [member, ...membersBelow(member.name, member.schema)]),
    ...items === undefined ? [] : membersBelow(`${name}[]`, items)
  ]
}

function itemsOf ({ items }: Node): Node | undefined {
  return typeof items === 'object' && items !== null && !Array.isArray(items) ? items : undefined
}

function isDescribed ({ title, description }: Node): boolean {
  return [title, description].some(text => typeof text === 'string' && text.trim() !== '')
}

const fieldTypes: readonly unknown[] = ['string', 'number', 'integer', 'boolean']

/** Whether one field of a form takes the value. */
function isField (schema: Node): boolean {
  return literalsOf(schema)?.every(value => typeof value !== 'object') ?? fieldTypes.includes(schema.type)
}

/** An object whose members are all known. */
function isClosed ({ type, properties, patternProperties, additionalProperties }: Node): boolean {
  return type === 'object' && properties !== undefined && patternProperties === undefined &&
    (additionalProperties === undefined || typeof additionalProperties === 'boolean')
}

function isTextList (schema: Node): boolean {
  const items = itemsOf(schema)
  if (schema.type !== 'array' || items === undefined) return false
  return literalsOf(items)?.every(value => typeof value === 'string') ?? items.type === 'string'
}

/** Lists the members for which a form has neither a field, a group of fields nor a list. */
function shownAsJson (name: string, schema: Node): string[] {
  if (schema.type !== 'object') return []
  if (!isClosed(schema)) return [name]
  return membersOf(name, schema).filter(({ schema: member }) => !isField(member) && !isTextList(member))
    .flatMap(member => {
      if (isClosed(member.schema)) {
        return membersOf(member.name, member.schema).filter(inner =>
          !isField(inner.schema) && !isTextList(inner.schema)
        )
          .map(inner => inner.name)
      }
      return isTable(member.schema) ? [] : [member.name]
    })
}

/** A list of objects of which each is one row of fields. */
function isTable (schema: Node): boolean {
  const items = itemsOf(schema)
  if (schema.type !== 'array' || items === undefined || !isClosed(items)) return false
  return membersOf('', items).every(({ schema: member }) => isField(member))
}
