import type { FastifyRequest } from 'fastify'

/** Answers the id of the account whose request it is; refuses a token that lacks the scope. */
export type Authorise = (request: FastifyRequest, scope: string) => string
