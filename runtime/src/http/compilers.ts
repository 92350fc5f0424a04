import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

// Compiling the schemas of all routes takes a sixth of the processor time of a start, and most
// routes are never called while a hub runs. So each schema is compiled by the first request that
// needs it.

type Schemas = Readonly<Record<string, AnySchema | AnySchema[]>>

/**
 * Makes the validators of routes. They take bodies as they are, and turn the text of a query string
 * or a header into the type that its schema wants. Fastify gets this factory and no compiler on the
 * root, because it ignores that compiler where a plugin adds schemas of its own.
 */
export function buildValidator (schemas: Schemas): (definition: AnySchema) => ValidateFunction {
  const compile = createCompiler(schemas)
  return definition => compileOnUse(() => compile(definition))
}

/** Compiles at once, with the schemas that routes refer to. */
export function createCompiler (schemas: Schemas): (definition: AnySchema) => ValidateFunction {
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

/**
 * Fastify needs only two things of a validator: it calls the function, and it reads `errors` after
 * the answer false.
 */
function compileOnUse (compile: () => ValidateFunction): ValidateFunction {
  let compiled: ValidateFunction | undefined
  const validate = ((value: unknown): boolean => {
    compiled ??= compile()
    const isValid = compiled(value)
    validate.errors = compiled.errors
    return isValid
  }) as ValidateFunction
  return validate
}

function createAjv (coerceTypes: boolean, schemas: Schemas): Ajv {
  // Do not check the schemas against the schema of schemas: the hub wrote them, and the check takes
  // longer than compiling them.
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

const compilerOf = SerializerSelector()

/** Makes the serializers of routes, with Fastify's own compiler. */
export function buildSerializer (...given: Parameters<typeof compilerOf>): ReturnType<typeof compilerOf> {
  const compile = compilerOf(...given)
  return definition => {
    let serialize: ReturnType<typeof compile> | undefined
    return document => {
      serialize ??= compile(definition)
      return serialize(document)
    }
  }
}
