declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The codes of problems that the description names for this route, beside those that follow
     * from its scope, its body and its headers.
     */
    problems?: readonly string[]
  }
}

/** The member of an operation, while the description is made, that holds its own codes. */
export const codesMember = 'x-linker-codes'
