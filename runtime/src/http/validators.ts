import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

/**
 * Compiles the schemas of routes. Bodies are taken as they are; the text of a query string or a
 * header is turned into the type that its schema wants. Given to Fastify as a factory: a compiler
 * set on the root is not used where a plugin adds schemas of its own.
 */
export function buildValidator (schemas: Readonly<
  Record<string, AnySchema | AnySchema[]>
>): (definition: AnySchema) => ValidateFunction {
  let strict: Ajv | undefined
  let coercing: Ajv | undefined
  return definition => {
    // Fastify declares the parameter as the schema and passes the schema with its place in the
    // request.
    const { schema, httpPart } = definition as { schema: AnySchema, httpPart: string }
    const ajv = httpPart === 'body' ? strict ??= createAjv(false, schemas) : coercing ??= createAjv(true, schemas)
    return ajv.compile(schema)
  }
}

function createAjv (coerceTypes: boolean, schemas: Readonly<Record<string, AnySchema | AnySchema[]>>): Ajv {
  // Not checked against the schema of schemas, which takes longer than compiling them: they are the
  // hub's own.
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    removeAdditional: false,
    coerceTypes,
    strict: false,
    meta: false,
    validateSchema: false
  })
  addFormats.default(ajv)
  for (const schema of Object.values(schemas)) ajv.addSchema(schema)
  return ajv
}
