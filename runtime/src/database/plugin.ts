import fp from 'fastify-plugin'
import type { Database } from './database.ts'

declare module 'fastify' {
  interface FastifyInstance {
    database: Database
  }
}

export default fp<{ database: Database }>(async (app, { database }) => {
  app.decorate('database', database)
  app.addHook('preClose', async () => {
    database.hurry()
  })
  app.addHook('onClose', () => database.close())
}, { name: 'database' })
