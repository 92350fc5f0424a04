import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import diagnostics from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pino from 'pino'
import t, { type Test } from 'tap'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/database/database.ts'
import { createCompiler } from '../src/http/compilers.ts'
import { patternSentences } from '../src/http/pattern-sentences.ts'
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

async function makeDirectory (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-app-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  copyEmbeddedDatabase(directory)
  return directory
}

async function buildAppIn (t: Test, directory: string): Promise<FastifyInstance> {
  const app = await buildApp({
    config: readConfig({ LINKER_DATA_DIR: directory }, directory),
    adminToken: 'a-token-of-the-tests-with-enough-characters',
    loggerInstance: pino({ level: 'silent' })
  })
  t.teardown(() => app.close())
  return app
}

/** The patterns of a schema, at any depth, and those of the shared schemas to which it refers. */
function patternsIn (schema: unknown, shared: Collected['shared']): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, member]) => {
    if (typeof member !== 'string') return patternsIn(member, shared)
    if (name === '$ref') return patternsIn(shared[member], shared)
    return name === 'pattern' ? [member] : []
  })
}

t.test('the schemas of every route', async t => {
  const collected = collectRoutes()
  await buildAppIn(t, await makeDirectory(t))

  t.test('compile, although the hub compiles each one only at a request', async t => {
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
    t.strictSame([...compiled].filter(part => !/^\d/.test(part)).toSorted(), [
      'body',
      'headers',
      'params',
      'querystring'
    ])
    t.ok(compiled.has('200') && compiled.has('202'), 'answers too')
  })

  t.test('have a sentence for every pattern that they check', async t => {
    // The gate refuses a delivery itself, with sentences of its own.
    const checked = collected.filter(({ route: { url } }) => !url.includes('/webhooks/:provider'))
    const patterns =
      new Set(checked.flatMap(({ route: { schema = {} }, shared }) =>
        patternsIn(schemasOf(schema).filter(({ part }) => !/^\d/.test(part)), shared)
      ))

    t.ok(patterns.size > 10, 'patterns were found')
    t.strictSame([...patterns].filter(pattern => !patternSentences.has(pattern)), [])
  })
})

t.test('a hub removes what is too old as soon as it is ready', async t => {
  const directory = await makeDirectory(t)
  const { query: prepare, close } = await openDatabase({ dataDirectory: directory }, { warn: () => undefined })
  await prepare(`
    insert into jobs (
      id, job_type, lane, object_key, idempotency_key, payload, outcome, created_at, finished_at
    )
    select gen_random_uuid(), 'a.b', 'state', days, days, '{}', 'succeeded', now() - days * interval '1 day',
      now() - days * interval '1 day'
    from unnest(array[13, 15]) as days`)
  await prepare(`
    with shop as (
      insert into connections (
        id, platform_type, name, status, config, adapter_key, capabilities, webhook_scheme, created_at, updated_at
      )
      values (gen_random_uuid(), 'past', 'Past', 'disabled', '{}', 'past.api.v1', '[]', 'hmac', now(), now())
      returning id
    )
    insert into connection_values (connection_id, key, value, expires_at)
    select id, key, '1', now() + hours * interval '1 hour'
    from shop, (values ('expired', -1), ('kept', 1)) as given (key, hours)`)
  await close()

  const { database: { query } } = await buildAppIn(t, directory)

  const left = async (): Promise<object[]> =>
    query('select idempotency_key as left from jobs union all select key from connection_values')
  while ((await left()).length > 2) await setTimeout(20)
  t.strictSame(await left(), [{ left: '13' }, { left: 'kept' }])
})
