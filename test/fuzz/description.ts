/** A JSON Schema, as far as the description of the API uses it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
}

interface Content {
  $ref?: string
  content?: Record<string, { schema: Schema }>
  /** Codes of the problems that it describes. */
  'x-linker-codes'?: string[]
}

/** What `/openapi.json` answers. */
export interface Description {
  paths: Record<
    string,
    Record<string, {
      parameters?: Parameter[],
      requestBody?: Content,
      responses: Record<string, Content>
    }>
  >
  components: { schemas: Record<string, Schema>, responses?: Record<string, Content> }
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
type Method = typeof methods[number]

/** A method of a path. */
export interface Operation {
  method: Method
  path: string
  parameters: Parameter[]
  body: Schema | undefined
  responses: Record<string, Content>
}

export function operationsOf ({ paths, components }: Description): Operation[] {
  return Object.entries(paths).flatMap(([path, described]) =>
    methods.flatMap(method => {
      const operation = described[method.toLowerCase()]
      if (operation === undefined) return []
      const { parameters = [], requestBody, responses } = operation
      const body = resolve(Object.values(requestBody?.content ?? {})[0]?.schema, components.schemas)
      return [{ method, path, parameters, body, responses: resolveAll(responses, components.responses) }]
    })
  )
}

function resolveAll (
  responses: Record<string, Content>,
  shared: Record<string, Content> = {}
): Record<string, Content> {
  return Object.fromEntries(Object.entries(responses).map(([status, response]) => [
    status,
    shared[response.$ref?.split('/').at(-1) ?? ''] ?? response
  ]))
}

/** Replaces a reference by its schema. Only the top of a body is a reference. */
function resolve (schema: Schema | undefined, schemas: Record<string, Schema>): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined ? schema : schemas[name]
}
