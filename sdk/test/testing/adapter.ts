import { defineAdapter, defineJob, type Context } from '@linker/sdk'
import { Type } from '@sinclair/typebox'

export const manifest = {
  adapterKey: 'feed.api.v1',
  platformType: 'feed',
  displayName: 'Feed',
  capabilities: [],
  permissions: { http: ['${config.baseUrl}'], jobs: ['feed.*'] }
}

const Credentials = Type.Object({ accessToken: Type.String({ secret: true }), expiresAt: Type.String() }, {
  additionalProperties: false
})

/** An adapter with one job, which runs `work`. */
export function adapterOf (work:
  (context: Context<{ baseUrl?: string }, { accessToken: string, expiresAt: string }>) => unknown)
{
  return defineAdapter({
    config: Type.Object({ baseUrl: Type.Optional(Type.String()) }),
    credentials: Credentials,
    connect: context => ({ tokenAtConnect: context.credentials.accessToken }),
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    jobs: {
      'feed.work': defineJob({
        payload: Type.Object({}),
        run: async (_client: { tokenAtConnect: string }, _job, context: Parameters<typeof work>[0]) => ({
          result: await work(context)
        })
      })
    },
    routes: [{
      method: 'GET',
      path: '/state',
      auth: 'public',
      handler: async (_request, { connection }) => ({ body: connection === undefined })
    }]
  })
}

export const credentials = { accessToken: 'the-first-token', expiresAt: '2025-01-01T01:00:00Z' }
