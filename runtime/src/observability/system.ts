import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from '@sinclair/typebox'
import type { Config } from '../config.ts'

export const System = Type.Object({
  version: Type.String({ description: 'Of `@linker/runtime`' }),
  mode: Type.Union([Type.Literal('embedded'), Type.Literal('postgres'), Type.Literal('full')], {
    description: 'Where the hub stores its state'
  }),
  role: Type.String({ description: 'LINKER_ROLE of the process that answers' }),
  configurationFile: Type.String({ description: 'Path of linker.config.json; the file need not exist' }),
  dataDirectory: Type.String(),
  credentialKeys: Type.Array(Type.String(), {
    description: 'Ids of the keys that stored credentials and secrets are encrypted with'
  })
}, { $id: 'System' })
export type System = Static<typeof System>

export interface SystemOptions {
  config: Pick<Config, 'databaseUrl' | 'redisUrl' | 'role' | 'filePath' | 'dataDirectory'>
  version: string
  /** Ids of the keys that stored credentials and secrets are encrypted with. */
  readKeyIds(): Promise<string[]>
}

/**
 * Tells which settings this process runs with, so that `linker doctor` can compare them with those
 * of another shell.
 */
const routes: FastifyPluginAsyncTypebox<SystemOptions> = async (app, { config, version, readKeyIds }) => {
  app.addSchema(System)

  app.get('/system', {
    config: { scope: 'read' },
    schema: {
      tags: ['operation'],
      operationId: 'readSystem',
      summary: 'Read the settings of this hub',
      description: 'Names the version, the mode and the folders of the hub, and no secret.',
      response: { 200: Type.Ref(System) }
    }
  }, async (): Promise<System> => ({
    version,
    mode: modeOf(config),
    role: config.role,
    configurationFile: config.filePath,
    dataDirectory: config.dataDirectory,
    credentialKeys: await readKeyIds()
  }))
}

export function modeOf ({ databaseUrl, redisUrl }: Pick<Config, 'databaseUrl' | 'redisUrl'>): System['mode'] {
  if (redisUrl !== undefined) return 'full'
  return databaseUrl === undefined ? 'embedded' : 'postgres'
}

export default routes
