import { createRedactor, TransientError, type HttpClientFactory } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { classify } from '../errors.ts'

/**
 * The account that a token belongs to. Its id is its identity: login and e-mail may change
 * (upstream/mkta.md, section 2.5).
 */
export const Account = Type.Object({ id: Type.String({ minLength: 1 }), login: Type.String() })
export type Account = Static<typeof Account>

const timeoutMs = 5_000

/** Asks the REST host which account the token belongs to. The web host does not answer this. */
export async function readAccount (
  http: HttpClientFactory,
  { restBaseUrl, mediaType }: { restBaseUrl: string, mediaType: string },
  accessToken: string
): Promise<Account> {
  // Redact here: some refusals quote the request, and the hub does not know this token yet.
  const redact = createRedactor([accessToken])
  const client = http({
    baseUrl: restBaseUrl,
    auth: { type: 'bearer', token: accessToken },
    classify: answer => classify({ ...answer, body: redact(answer.body) })
  })
  return parseAccount(await client.json({
    method: 'GET',
    path: 'me',
    headers: { accept: mediaType, 'accept-language': 'pl-PL' },
    timeoutMs
  }))
}

export function parseAccount (answer: unknown): Account {
  if (!Value.Check(Account, answer)) {
    throw new TransientError('the marketplace described the account in an unknown form')
  }
  return { id: answer.id, login: answer.login }
}
