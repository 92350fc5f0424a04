import type { ErrorEntry } from './errors.ts'
import type { Display } from './list-query.ts'
import type { Row, Value } from './product-rows.ts'
import { resources, type ResourceName } from './resources.ts'
import { cdata, writeXml, type XmlElement } from './xml.ts'

export type Format = 'json' | 'xml'

export interface Rendering {
  resource: ResourceName
  format: Format
  display: Display
  /** Ids of the languages to show. */
  languages: readonly number[]
  /** Whether JSON lacks falsy members. */
  dropsFalsyMembers: boolean
  /** Whether JSON has text for whole numbers. */
  hasTextScalars: boolean
  /** Whether the record's own id is text as well. */
  hasTextId: boolean
  apiUrl: string
  /** Computes the members that the request asked for besides those of the record. */
  computed?: ((row: Row) => Record<string, string>) | undefined
}

export const contentTypes: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  xml: 'text/xml; charset=utf-8'
}

export function renderList (rows: Row[], rendering: Rendering): string {
  const { resource, format } = rendering
  // In JSON the shop answers an empty list as `[]`, not as an object with an empty list.
  if (format === 'json') {
    return JSON.stringify(rows.length === 0 ? [] : { [resource]: rows.map(row => toJson(row, rendering)) })
  }
  return writeXml({ [resource]: { [resources[resource].singular]: rows.map(row => toXml(row, rendering)) } })
}

export function renderSingle (row: Row, rendering: Rendering): string {
  const { singular } = resources[rendering.resource]
  if (rendering.format === 'xml') return writeXml({ [singular]: toXml(row, rendering) })
  return JSON.stringify({ [singular]: toJson(row, rendering) })
}

/** Lists the resources that a key may use, each with its permitted methods. */
export function renderRoot (permissions: Partial<Record<ResourceName, readonly string[]>>, host: string): string {
  const listed = Object.entries(permissions).map(([name, methods]) => [name, {
    '@xlink:href': `http://${host}/api/${name}`,
    ...Object.fromEntries(methods.map(method => [`@${method.toLowerCase()}`, 'true'])),
    description: cdata(`The ${name}`)
  }])
  return writeXml({ api: { '@shopName': 'Shop', ...Object.fromEntries(listed) } })
}

export function renderErrors (errors: ErrorEntry[], format: Format): string {
  if (format === 'json') return JSON.stringify({ errors })
  return writeXml({
    errors: { error: errors.map(({ code, message }) => ({ code: cdata(String(code)), message: cdata(message) })) }
  })
}

// As PHP's empty(), except for associations: "0.000000" and a date of zeros are not empty.
function isFalsy (value: unknown): boolean {
  return value === '' || value === '0' || value === 0 || value === false || value === null
}

function shownFields (row: Row, { resource, display }: Rendering): Array<[string, Value]> {
  if (display === 'ids') return []
  return Object.keys(resources[resource].fields)
    .filter(name => display === 'full' || display.includes(name))
    .map(name => [name, row.fields[name] ?? ''])
}

function shownAssociations (row: Row, { resource, display }: Rendering) {
  if (display !== 'full') return []
  return Object.entries(resources[resource].associations).flatMap(([name, singular]) => {
    const entries = row.associations[name] ?? []
    return entries.length === 0 ? [] : [{ name, singular, entries }]
  })
}

function showsId ({ display }: Rendering): boolean {
  return typeof display === 'string' || display.includes('id')
}

function toJson (row: Row, rendering: Rendering): Record<string, unknown> {
  const { display, languages, dropsFalsyMembers, hasTextId } = rendering
  const json: Record<string, unknown> = showsId(rendering) ? { id: hasTextId ? String(row.id) : row.id } : {}
  for (const [name, value] of shownFields(row, rendering)) {
    json[name] = isLocalised(rendering, name) ? localisedJson(value, languages) : scalarJson(value, name, rendering)
  }
  if (display !== 'ids') Object.assign(json, rendering.computed?.(row))
  const associations = shownAssociations(row, rendering)
  if (associations.length > 0) {
    json.associations = Object.fromEntries(associations.map(({ name, entries }) => [name, entries]))
  }
  return dropsFalsyMembers ? Object.fromEntries(Object.entries(json).filter(([, value]) => !isFalsy(value))) : json
}

/** Makes a number of an id and of a whole number. Flags are text, but for those of currencies. */
function scalarJson (value: Value, name: string, { resource, hasTextScalars }: Rendering): unknown {
  const type = resources[resource].fields[name]?.type
  const isNumber = type === 'integer' || (type === 'boolean' && resource === 'currencies')
  if (value === '' || value === false || !isNumber) return value
  return hasTextScalars ? value : Number(value)
}

function toXml (row: Row, rendering: Rendering): XmlElement {
  const { resource, display, apiUrl } = rendering
  if (display === 'ids') return { '@id': String(row.id), '@xlink:href': `${apiUrl}/${resource}/${row.id}` }
  const xml: XmlElement = showsId(rendering) ? { id: cdata(String(row.id)) } : {}
  for (const [name, value] of shownFields(row, rendering)) {
    const { references } = resources[resource].fields[name] ?? {}
    if (isLocalised(rendering, name)) xml[name] = { language: localisedXml(value, rendering) }
    else if (references === undefined || value === '0') xml[name] = cdata(value === false ? '' : String(value))
    else xml[name] = { '@xlink:href': `${apiUrl}/${references}/${value}`, ...cdata(String(value)) }
  }
  for (const [name, price] of Object.entries(rendering.computed?.(row) ?? {})) xml[name] = cdata(price)
  const associations = shownAssociations(row, rendering).map(({ name, singular, entries }) => {
    const parent = name === 'images' ? `images/products/${row.fields.id_product ?? row.id}` : name
    const children = entries.map(entry =>
      entry.id === undefined ? entry : { '@xlink:href': `${apiUrl}/${parent}/${entry.id}`, ...entry }
    )
    return [name, { '@nodeType': singular, '@api': name, [singular]: children }]
  })
  if (associations.length > 0) xml.associations = Object.fromEntries(associations)
  return xml
}

function isLocalised ({ resource }: Rendering, name: string): boolean {
  return resources[resource].fields[name]?.type === 'localised'
}

function translations (value: Value, languages: readonly number[]): Array<{ id: string, value: string }> {
  return languages.map(id => ({ id: String(id), value: typeof value === 'object' ? value[id] ?? '' : String(value) }))
}

function localisedJson (value: Value, languages: readonly number[]): unknown {
  const texts = translations(value, languages)
  return texts.length === 1 ? texts[0]?.value : texts
}

function localisedXml (value: Value, { languages, apiUrl }: Rendering): XmlElement[] {
  return translations(value, languages).map(text => ({
    '@id': text.id,
    '@xlink:href': `${apiUrl}/languages/${text.id}`,
    ...cdata(text.value)
  }))
}
