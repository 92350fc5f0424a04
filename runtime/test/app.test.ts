import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import diagnostics from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import t from 'tap'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createCompiler } from '../src/http/compilers.ts'
import { copyEmbeddedDatabase } from './databases.ts'

interface Collected {
  route: RouteOptions
  /** The shared schemas of a scope, to which other schemas refer. */
  shared: ReturnType<FastifyInstance['getSchemas']>
}

/** Collects the routes of every server made from now on. */
function collectRoutes (): Collected[] {
  const collected: Collected[] = []
  diagnostics.subscribe('fastify.initialization', message => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', function (route) {
      collected.push({ route, shared: this.getSchemas() })
    })
  })
  return collected
}

/**
 * Returns the schemas of a route by their names. The schemas of answers may be named by media type.
 */
function schemasOf ({ response, ...request }: FastifySchema): { part: string, schema: object }[] {
  const parts = ['body', 'querystring', 'params', 'headers'] as const
  return [
    ...parts.flatMap(part => request[part] === undefined ? [] : [{ part, schema: request[part] as object }]),
    ...Object.entries((response ?? {}) as Record<string, object>)
      .filter(([, schema]) => !('content' in schema))
      .map(([status, schema]) => ({ part: status, schema }))
  ]
}

t.test('the schemas of every route compile, although the hub compiles each one only at a request', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'linker-app-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  copyEmbeddedDatabase(directory)
  const collected = collectRoutes()
  const config = readConfig({ LINKER_DATA_DIR: directory }, directory)
  const app = await buildApp({
    config,
    adminToken: 'a-token-of-the-tests-with-enough-characters',
    loggerInstance: pino({ level: 'silent' })
  })
  t.teardown(() => app.close())

  const serializers = SerializerSelector()
  const compiled = new Set<string>()
  for (const { route: { method, url, schema: schemas = {} }, shared } of collected) {
    const compile = createCompiler(shared as Parameters<typeof createCompiler>[0])
    const compileAnswer = serializers(shared)
    for (const { part, schema } of schemasOf(schemas)) {
      const isAnswer = /^\d/.test(part)
      const compiling = isAnswer
        ? () => compileAnswer({ method: String(method), url, httpStatus: part, schema })
        : () => compile({ schema, httpPart: part })
      t.doesNotThrow(compiling, `${String(method)} ${url} ${part}`)
      compiled.add(part)
    }
  }
  t.strictSame([...compiled].filter(part => !/^\d/.test(part)).toSorted(), ['body', 'headers', 'params', 'querystring'])
  t.ok(compiled.has('200') && compiled.has('202'), 'answers too')
})
