import type { FastifyRequest } from 'fastify'

/**
 * Returns the id of the account to which the token of a request belongs. Refuses a token that the
 * marketplace did not issue or that lacks the scope.
 */
export type Authorise = (request: FastifyRequest, scope: string) => string
