import { authorisationRoute, returnToMember } from '@linker/sdk/host'
import type { SendableAnswer } from '@linker/sdk/host/routes'
import { hashOf } from '../credentials/oauth-flows.ts'
import { addReturn, readReturn, storeReturn, type FlowKey } from '../credentials/store.ts'
import type { Query } from '../database/database.ts'
import { isUuid } from '../text-patterns.ts'
import { readReturnPage, withResult } from './return-page.ts'
import type { AdapterRoute } from './route-table.ts'

const mostStateCharacters = 500

/** The page to which a callback of the browser returns. */
export interface PendingReturn {
  /** Present when an earlier request of the browser has ended the authorisation. */
  location?: string
  /** Returns where an answer leads. Returns undefined when the authorisation goes on after it. */
  locationOf(answer: SendableAnswer): Promise<string | undefined>
  /** Returns where a failure leads. */
  locationOfFailure(failure: { code: string, message: string }): Promise<string>
}

/**
 * Brings the browser from an authorisation back to the console. The adapter does not know it: the
 * hub takes `returnTo` out of the body that begins an authorisation, keeps it under the state that
 * the adapter answers, and redirects the public route that gets this state.
 */
export interface AuthorisationReturns {
  /** Takes `returnTo` out of a body. Throws a 400 when it is no page of the console. */
  take(route: AdapterRoute, body: unknown): { body: unknown, page?: string }
  /** Keeps the page under the state of the answer, if the authorisation has begun. */
  remember(route: AdapterRoute, page: string, answer: SendableAnswer): Promise<void>
  find(route: AdapterRoute, query: unknown): Promise<PendingReturn | undefined>
}

export function createAuthorisationReturns (query: Query): AuthorisationReturns {
  const keyOf = ({ adapter }: AdapterRoute, state: string): FlowKey => ({
    stateHash: hashOf(state),
    platformType: adapter.manifest.platformType
  })

  return {
    take (route, given) {
      const begins = authorisationRoute(route.adapter.description) === route.description
      if (!begins || !isObject(given) || !Object.hasOwn(given, returnToMember)) return { body: given }
      const { [returnToMember]: page, ...body } = given
      return { body, page: readReturnPage(page) }
    },
    async remember (route, page, { status, body }) {
      const { state } = membersOf(body)
      if (status < 300 && isState(state)) await addReturn(query, keyOf(route, state), page)
    },
    async find (route, given) {
      const { adapter: { description: { authorisation } }, description: { auth, method } } = route
      const { state } = given as { state?: unknown }
      if (authorisation === undefined || auth !== 'public' || method !== 'GET' || !isState(state)) return undefined
      const key = keyOf(route, state)
      const found = await readReturn(query, key)
      if (found === undefined) return undefined
      const { page, location, endedBy: before } = found
      const endedBy = hashOf(JSON.stringify(Object.entries(given as object).toSorted()))
      // The state is spent, and this request has another code.
      if (before !== null && before !== endedBy) return undefined
      async function fail (error: string, detail?: string): Promise<string> {
        const failed = withResult(page, detail === undefined ? { error } : { error, detail })
        return await storeReturn(query, key, { location: failed, endedBy, succeeded: false }) ?? failed
      }
      return {
        ...(location === null ? {} : { location }),
        async locationOf ({ status, body }) {
          const { connectionId, detail, message } = membersOf(body)
          if (status < 300) {
            const ended = withResult(page, { connectionId: idOf(connectionId) })
            return storeReturn(query, key, { location: ended, endedBy, succeeded: true })
          }
          // The adapter leads the browser on by itself.
          if (status < 400) return undefined
          return fail(status < 500 ? 'LNK_ADAPTER_REJECTED' : 'LNK_ADAPTER_FAILED', textOf(detail ?? message))
        },
        locationOfFailure: ({ code, message }) => fail(code, message)
      }
    }
  }
}

function idOf (value: unknown): string | undefined {
  return typeof value === 'string' && isUuid(value) ? value : undefined
}

function textOf (value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isState (state: unknown): state is string {
  return typeof state === 'string' && state !== '' && state.length <= mostStateCharacters
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function membersOf (json: string | undefined): Record<string, unknown> {
  const value: unknown = JSON.parse(json ?? 'null')
  return isObject(value) ? value : {}
}
