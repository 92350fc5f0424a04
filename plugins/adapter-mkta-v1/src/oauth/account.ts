import type { HttpClient, HttpClientFactory } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { classify } from '../errors.ts'

/**
 * The account that a token belongs to. Its id is its identity: login and e-mail may change
 * (upstream/mkta.md, section 2.5).
 */
export const Account = Type.Object({ id: Type.String({ minLength: 1 }), login: Type.String({ minLength: 1 }) })
export type Account = Static<typeof Account>

const timeoutMs = 5_000

/** Asks the REST host which account the token belongs to. The web host does not answer this. */
export async function readAccount (
  http: HttpClientFactory,
  { restBaseUrl, mediaType }: { restBaseUrl: string, mediaType: string },
  accessToken: string
): Promise<Account> {
  const headers = { accept: mediaType, 'accept-language': 'pl-PL' }
  return fetchAccount(http({ baseUrl: restBaseUrl, auth: { type: 'bearer', token: accessToken }, headers, classify }))
}

/** Asks which account the token of the client belongs to. */
export async function fetchAccount (http: HttpClient): Promise<Account> {
  const { id, login } = await http.get('me', { timeoutMs, as: Account })
  return { id, login }
}
