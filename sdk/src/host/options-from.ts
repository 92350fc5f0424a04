import { authorisationRoute } from './authorisation.ts'
import { schemasBelow } from './defaults.ts'
import type { AdapterDescription, RouteDescription } from './describe.ts'

/** The keyword of a member whose choices a route of the adapter answers: the path of this route. */
const keyword = 'optionsFrom'

type Described = Pick<AdapterDescription, 'authorisation' | 'config' | 'credentials' | 'routes'>

interface Schema {
  type?: unknown
  items?: Schema
  properties?: Readonly<Record<string, Schema | undefined>>
  required?: readonly unknown[]
}

/** Lists the members of forms whose choices no route answers, one sentence each. */
export function optionsFromProblems (description: Described): string[] {
  const forms: [string, object | undefined][] = [
    ['config', description.config],
    ['credentials', description.credentials],
    ['authorisation', authorisationRoute(description)?.schema.body]
  ]
  return forms.flatMap(([form, schema]) =>
    schema === undefined ? [] : optionsBelow(schema).flatMap(({ pointer, path }) => {
      const problem = problemOf(path, description.routes)
      return problem === undefined ? [] : [`its ${form} schema at ${pointer}/${keyword} ${problem}`]
    })
  )
}

function optionsBelow (schema: object, pointer = ''): { pointer: string, path: unknown }[] {
  return [
    ...(keyword in schema ? [{ pointer, path: schema[keyword] }] : []),
    ...schemasBelow(schema).flatMap(([place, below]) => optionsBelow(below, `${pointer}${place}`))
  ]
}

function problemOf (path: unknown, routes: readonly RouteDescription[]): string | undefined {
  const route = routes.find(other => other.method === 'GET' && other.path === path)
  if (route === undefined) return 'must be the path of a GET route of the adapter'
  if (route.path.includes(':')) return 'names a route with a parameter: a form asks for the platform as a whole'
  if (route.auth !== 'read') return `names a route with auth '${route.auth}': 'read' is required`
  return isListOfOptions(route.schema.response?.['200'] as Schema | undefined)
    ? undefined
    : 'names a route whose response schema 200 is no list of objects that require const and the text title'
}

function isListOfOptions (schema: Schema | undefined): boolean {
  const { properties = {}, required = [] } = schema?.items ?? {}
  return schema?.type === 'array' && properties.const !== undefined && properties.title?.type === 'string' &&
    ['const', 'title'].every(name => required.includes(name))
}
