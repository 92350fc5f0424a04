import { authorisationRoute, returnToMember } from '@linker/sdk/host'
import type { OpenAPIV3_1 } from 'openapi-types'
import { adapterProblems } from '../adapters/adapter-failure.ts'
import { openingProblems } from '../connections/open-connection.ts'
import { codesMember } from '../http/description/codes.ts'
import type { Additions } from '../http/description/document.ts'
import { securityOf } from '../http/description/security.ts'
import { mostReturnCharacters } from './return-page.ts'
import type { AdapterRoute } from './route-table.ts'

type Schema = OpenAPIV3_1.SchemaObject

const text: Schema = { type: 'string' }
const statusPattern = /^[2-5](?:\d\d|XX)$/i

const routeProblems = [...adapterProblems, 'LNK_ADAPTER_BUSY', 'LNK_ADAPTER_CHECK_STOPPED']
const connectionProblems = [...openingProblems, 'LNK_CONNECTION_PAUSED', 'LNK_CAPABILITY_PAUSED']

/**
 * Describes routes of adapters as paths of an OpenAPI document, with the schemas that check their
 * requests. Each adapter has a tag.
 */
export function describeRoutes (routes: readonly AdapterRoute[]): Additions {
  const paths = new Map<string, OpenAPIV3_1.PathItemObject>()
  const tags = new Map<string, OpenAPIV3_1.TagObject>()
  const idOf = createIds()
  for (const route of routes) {
    const { adapterKey, displayName } = route.adapter.manifest
    const path = route.path.replaceAll(/:([A-Za-z0-9_]+)/g, '{$1}')
    const method = route.description.method.toLowerCase()
    paths.set(path, { ...paths.get(path), [method]: describeRoute(route, idOf(route)) })
    tags.set(adapterKey, { name: adapterKey, description: `Routes that the adapter of ${displayName} brings` })
  }
  return { paths: Object.fromEntries(paths), tags: [...tags.values()] }
}

/**
 * Makes the function that names an operation after adapter, method and path, such as
 * `myshopApiV1_getOffersById`. No name of the hub itself has an underscore. Paths that lead to the
 * same name are numbered.
 */
function createIds (): (route: AdapterRoute) => string {
  const uses = new Map<string, number>()
  return ({ adapter, description: { method, path } }) => {
    const words = path.replaceAll(':', '/by/')
    const id = `${camelCase(adapter.manifest.adapterKey)}_${camelCase(`${method.toLowerCase()}/${words}`)}`
    const use = (uses.get(id) ?? 0) + 1
    uses.set(id, use)
    return use === 1 ? id : `${id}_${use}`
  }
}

function camelCase (text: string): string {
  const [first = '', ...others] = text.split(/[^A-Za-z0-9]+/).filter(word => word !== '')
  return first + others.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function describeRoute (route: AdapterRoute, operationId: string): OpenAPIV3_1.OperationObject {
  const { adapter, description, path, connectionParameter } = route
  const { method, summary, auth, schema } = description
  const { displayName, adapterKey, deprecated } = adapter.manifest
  const { properties = {} } = membersOf(schema.params)
  const query = membersOf(schema.query)
  const problems = connectionParameter === undefined ? routeProblems : [...connectionProblems, ...routeProblems]
  return {
    tags: [adapterKey],
    operationId,
    summary: summary ?? `${method} ${description.path} of ${displayName}`,
    description: `The adapter of ${displayName} ${adapter.version} answers.${
      deprecated === undefined ? '' : ` It is deprecated: ${deprecated}`
    }`,
    deprecated: deprecated === undefined ? undefined : true,
    parameters: [
      ...[...path.matchAll(/:([A-Za-z0-9_]+)/g)].map(([, name = '']) =>
        parameterOf(name, 'path', true, properties[name] ?? text)
      ),
      ...Object.entries(query.properties ?? {}).map(([name, member]) =>
        parameterOf(name, 'query', query.required?.includes(name) ?? false, member)
      )
    ],
    requestBody: schema.body && { required: true, content: { 'application/json': { schema: bodyOf(route) } } },
    responses: describeAnswers(schema.response ?? {}),
    security: securityOf(auth),
    [codesMember]: problems
  } as OpenAPIV3_1.OperationObject
}

/** The body as a client sends it. The hub takes `returnTo` out of that of an authorisation. */
function bodyOf ({ adapter, description }: AdapterRoute): Schema {
  const body = description.schema.body as Schema
  if (authorisationRoute(adapter.description) !== description) return body
  const returnTo: Schema = {
    type: 'string',
    maxLength: mostReturnCharacters,
    description: 'Path below /console/ to which the hub redirects the browser at the end (303), with `connectionId`, ' +
      'or `error` and `detail`, as parameters'
  }
  return { ...body, properties: { ...membersOf(body).properties, [returnToMember]: returnTo } } as Schema
}

function parameterOf (
  name: string,
  place: 'path' | 'query',
  required: boolean,
  schema: Schema
): OpenAPIV3_1.ParameterObject {
  return {
    name,
    in: place,
    required,
    schema: schema as OpenAPIV3_1.ParameterObject['schema'],
    description: schema.description,
    deprecated: schema.deprecated
  }
}

function describeAnswers (response: Readonly<Record<string, object>>): OpenAPIV3_1.ResponsesObject {
  const described = Object.entries(response).filter(([status]) => statusPattern.test(status))
  if (described.length === 0) return { 200: { description: 'Answer of the adapter' } }
  return Object.fromEntries(described.map(([status, schema]: [string, Schema]) => {
    const description = schema.description ?? 'Answer of the adapter'
    return [
      status.toUpperCase(),
      schema.type === 'null' ? { description } : { description, content: { 'application/json': { schema } } }
    ]
  }))
}

function membersOf (schema: object | undefined): { properties?: Record<string, Schema>, required?: string[] } {
  return schema ?? {}
}
