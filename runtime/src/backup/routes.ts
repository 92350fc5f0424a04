import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Readable } from 'node:stream'
import type { Config } from '../config.ts'
import { BackupRunningError } from '../errors.ts'
import { spoolBackup, type Spooled } from './spool.ts'

export interface BackupOptions {
  config: Pick<Config, 'databaseUrl' | 'redisUrl' | 'dataDirectory'>
  now: () => Date
}

const routes: FastifyPluginAsyncTypebox<BackupOptions> = async (app, { config, now }) => {
  let isRunning = false

  async function take (): Promise<Spooled> {
    if (isRunning) throw new BackupRunningError()
    isRunning = true
    try {
      return await spoolBackup(config, app.database, now())
    } finally {
      isRunning = false
    }
  }

  app.post('/backup', {
    config: { scope: 'admin', problems: ['LNK_BACKUP_RUNNING', 'LNK_BACKUP_NO_ROOM'] },
    schema: {
      tags: ['operation'],
      operationId: 'takeBackup',
      description: 'Everything that the hub acknowledged before `takenAt` in the first line is in it. The keys of ' +
        'the credentials are not.',
      summary: 'Take a backup of the whole state. The hub goes on working; `linker restore` reads the answer',
      response: {
        200: {
          description: 'JSON lines, compressed with gzip. The last line says `"complete":true`',
          content: { 'application/gzip': { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) } }
        }
      }
    }
  }, async (_request, reply) => {
    const { stream, bytes } = await take()
    return reply.header('content-type', 'application/gzip').header('content-length', bytes).send(stream)
  })
}

export default routes
