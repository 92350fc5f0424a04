import type { OpenAPIV3_1 } from 'openapi-types'
import { anyProblem, securityOf } from '../http/openapi.ts'
import type { AdapterRoute } from './route-table.ts'

type Schema = OpenAPIV3_1.SchemaObject

const text: Schema = { type: 'string' }
const statusPattern = /^[2-5](?:\d\d|XX)$/i

/**
 * Describes routes of adapters as paths of an OpenAPI document, with the schemas that check their
 * requests.
 */
export function describeRoutes (routes: readonly AdapterRoute[]): OpenAPIV3_1.PathsObject {
  const paths = new Map<string, OpenAPIV3_1.PathItemObject>()
  for (const route of routes) {
    const path = route.path.replaceAll(/:([A-Za-z0-9_]+)/g, '{$1}')
    paths.set(path, { ...paths.get(path), [route.description.method.toLowerCase()]: describeRoute(route) })
  }
  return Object.fromEntries(paths)
}

function describeRoute ({ adapter, description, path }: AdapterRoute): OpenAPIV3_1.OperationObject {
  const { method, summary, auth, schema } = description
  const { properties = {} } = membersOf(schema.params)
  const query = membersOf(schema.query)
  return {
    tags: [adapter.manifest.adapterKey],
    summary: summary ?? `${method} ${description.path} of ${adapter.manifest.displayName}`,
    parameters: [
      ...[...path.matchAll(/:([A-Za-z0-9_]+)/g)].map(([, name = '']) =>
        parameterOf(name, 'path', true, properties[name] ?? text)
      ),
      ...Object.entries(query.properties ?? {}).map(([name, member]) =>
        parameterOf(name, 'query', query.required?.includes(name) ?? false, member)
      )
    ],
    requestBody: schema.body && { required: true, content: { 'application/json': { schema: schema.body as Schema } } },
    responses: { ...describeAnswers(schema.response ?? {}), default: anyProblem },
    security: securityOf(auth)
  }
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
    description: schema.description
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
