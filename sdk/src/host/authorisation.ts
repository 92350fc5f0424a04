import { connectionIdMember, connectionNameMember, returnToMember } from './authorisation-members.ts'
import type { AdapterDescription, RouteDescription } from './describe.ts'

type Described = Pick<AdapterDescription, 'authorisation' | 'routes'>

interface ObjectSchema {
  type?: unknown
  properties?: Readonly<Record<string, { type?: unknown } | undefined>>
  required?: readonly unknown[]
}

/** The route that begins the authorisation of an account, if the adapter declares one. */
export function authorisationRoute ({ authorisation, routes }: Described): RouteDescription | undefined {
  return routes.find(({ method, path }) => method === 'POST' && path === authorisation?.path)
}

/** Lists the faults of the declared authorisation, one sentence each. */
export function authorisationProblems (description: Described): string[] {
  const { authorisation, routes } = description
  if (authorisation === undefined) return []
  const { path } = authorisation
  const route = authorisationRoute(description)
  if (route === undefined) {
    const others = routes.filter(other => other.path === path).map(({ method }) => method)
    return [
      others.length === 0
        ? `its authorisation begins at POST ${path}, and it has no such route`
        : `its authorisation begins at ${path}, which is a route for ${others.join(', ')} and not for POST`
    ]
  }
  const problems = [...pathProblems(route), ...formProblems(route.schema.body), ...answerProblems(route)]
  return problems.map(problem => `its authorisation, POST ${path}, ${problem}`)
}

function pathProblems ({ path, auth }: RouteDescription): string[] {
  return [
    ...(path.includes(':') ? ['has a parameter in its path: clients call it for the platform as a whole'] : []),
    ...(auth === 'admin' ? [] : [`has auth '${auth}': 'admin' is required, because it makes connections`])
  ]
}

function formProblems (body: object | undefined): string[] {
  if (body === undefined) return ['has no body schema: this schema is the form']
  const { type, properties = {}, required = [] } = body as ObjectSchema
  if (type !== 'object') return ['has a body schema of another type than object: its members are the form']
  return [
    ...(isText(properties[connectionNameMember])
      ? []
      : [`has no text ${connectionNameMember} in its body schema: it names the new connection`]),
    ...(properties[connectionIdMember] === undefined || isText(properties[connectionIdMember])
      ? []
      : [`has a ${connectionIdMember} in its body schema that is not a text`]),
    ...(required.includes(connectionIdMember)
      ? [`requires ${connectionIdMember} in its body schema: a new connection has no id yet`]
      : []),
    ...(returnToMember in properties
      ? [`has a ${returnToMember} in its body schema: the hub keeps this member for itself`]
      : [])
  ]
}

const answerMembers = ['authorizationUrl', 'state']

function answerProblems ({ schema: { response } }: RouteDescription): string[] {
  const { properties = {}, required = [] } = (response?.['200'] ?? {}) as ObjectSchema
  const missing = answerMembers.filter(name => !isText(properties[name]) || !required.includes(name))
  return missing.length === 0 ? [] : [`does not require the text ${missing.join(' and ')} in its response schema 200`]
}

function isText (schema: { type?: unknown } | undefined): boolean {
  return schema?.type === 'string'
}
