import { findUnstorable } from '@linker/sdk/host/routes'
import fp from 'fastify-plugin'
import { InvalidRequestError } from '../errors.ts'
import { describeDetails } from './problem.ts'

/**
 * Refuses a request to the API whose path or query has a text that PostgreSQL cannot take. Such a
 * text would fail in the first statement that looks for it. `json-body.ts` refuses it in bodies.
 * Routes without a token and routes of adapters get it as it is: they have rules of their own.
 */
export default fp(async app => {
  app.addHook('preValidation', (request, _reply, done) => {
    const { caller, params, query } = request
    const isOfAdapter = Object.hasOwn(Object(params), '*')
    done(caller === null || isOfAdapter ? undefined : findRefusal({ params, querystring: query }))
  })
}, { name: 'storable-texts', dependencies: ['authentication'] })

/** Returns a 400 that points to each text, number or nesting that cannot be stored. */
export function findRefusal (value: unknown): Error | undefined {
  const errors = findUnstorable(value)
  return errors.length === 0
    ? undefined
    : Object.assign(new InvalidRequestError(describeDetails(errors)), { errors })
}
