import { AjvCompiler } from '@fastify/ajv-compiler'

type BuildValidator = ReturnType<typeof AjvCompiler>
type Compile = ReturnType<BuildValidator>
type Validator = ReturnType<Compile>

/**
 * Makes the validators of routes, with Fastify's own compiler. Each schema is compiled by the first
 * request that needs it: compiling all takes most of a start, and most runs call few routes.
 */
export function buildValidator (...given: Parameters<BuildValidator>): Compile {
  let compile: Compile | undefined
  return definition => compileOnUse(() => (compile ??= AjvCompiler()(...given))(definition))
}

/** Fastify calls the function, and reads `errors` after the answer false. */
function compileOnUse (compile: () => Validator): Validator {
  let compiled: Validator | undefined
  const validate = ((value: unknown) => {
    compiled ??= compile()
    const answer = compiled(value)
    validate.errors = compiled.errors
    return answer
  }) as Validator
  return validate
}
