import type { RouteRequest } from '../../route.ts'
import type { RouteDescription } from '../describe.ts'
import { compileForeignSchema, type FindErrors } from '../foreign-schema.ts'
import { findUnstorable } from '../json-limits.ts'
import { describeProblems, type SchemaProblem } from '../json-schema.ts'

/** The parts of a request that its route's schemas describe. */
export type RouteInput = Pick<RouteRequest, 'params' | 'query' | 'body'>

/** The parts of a request as they came: path and query are texts. */
export interface GivenInput {
  params: Readonly<Record<string, string>>
  query: unknown
  body: unknown
}

/**
 * Returns the parts as the handler gets them: texts of path and query have the type that their
 * schema wants, and defaults are filled in. `problems` has a pointer to each fault, up to 50. Path
 * and query must be storable; whoever parses the body checks that of the body.
 */
export type ReadInput = (given: GivenInput) => { input: RouteInput, problems: SchemaProblem[] }

type Part = 'params' | 'query' | 'body'
const pointerOf: Readonly<Record<Part, string>> = { params: '/params', query: '/querystring', body: '' }
/**
 * The most problems of a request. Ajv reports every problem of a body, and a body of one megabyte
 * can have a hundred thousand.
 */
const mostInputProblems = 50

export function createReadInput ({ schema }: Pick<RouteDescription, 'schema'>): ReadInput {
  // The first request compiles the schemas, because most routes of most versions are never called.
  let checks: Readonly<Record<Part, FindErrors | undefined>> | undefined

  return function readInput ({ params, query, body }) {
    checks ??= {
      params: compile(schema.params, 'array'),
      query: compile(schema.query, 'array', true),
      body: compile(schema.body, false, true)
    }
    const input = { params: { ...params }, query: { ...query as object }, body }
    const forbidden = Object.hasOwn(input.query, '__proto__')
      ? [{ pointer: '/querystring/__proto__', code: 'name', message: 'is a forbidden name' }]
      : []
    const problems = [
      ...findUnstorable({ params, querystring: query }),
      ...forbidden,
      ...problemsOf(checks.params, 'params', input.params),
      ...problemsOf(checks.query, 'query', input.query)
    ]
    if (schema.body !== undefined && body === undefined) {
      problems.push({ pointer: '', code: 'required', message: 'is empty' })
    } else problems.push(...problemsOf(checks.body, 'body', body))
    return { input, problems: problems.slice(0, mostInputProblems) }
  }
}

function problemsOf (findErrors: FindErrors | undefined, part: Part, value: unknown): SchemaProblem[] {
  return describeProblems((findErrors?.(value).errors ?? []).slice(0, mostInputProblems), pointerOf[part])
}

/** Compiles each schema in its own compiler: schemas of two routes may have the same `$id`. */
function compile (schema: object | undefined, coerceTypes: false | 'array', isClosed = false): FindErrors | undefined {
  if (schema === undefined) return undefined
  return compileForeignSchema(isClosed ? closed(schema) : schema, { coerceTypes, useDefaults: true })
}

/**
 * Adds `additionalProperties: false` to a top-level object schema that does not say anything about
 * it. The hub then notices a misspelt member, as it does in config and credentials.
 */
function closed (schema: object): object {
  return 'type' in schema && schema.type === 'object' && !('additionalProperties' in schema)
    ? { ...schema, additionalProperties: false }
    : schema
}
