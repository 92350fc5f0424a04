import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { adapterKeyPattern } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { AdapterPackage } from '../adapters/discover.ts'
import { nameOf, type LoadedAdapter } from '../adapters/load.ts'
import { readChangelog } from '../adapters/presentation.ts'
import { AdapterView, countUses, describeAdapter } from '../adapters/view.ts'
import { ConnectionTest } from '../connections/schemas.ts'
import { settingsSchemaFor } from '../connections/settings/rules.ts'
import { countPins } from '../connections/store.ts'
import { checkSettings, trySettings } from '../connections/try-settings.ts'
import { NotFoundError } from '../errors.ts'

const Key = Type.String({ pattern: adapterKeyPattern })
const Version = Type.String({ minLength: 1, maxLength: 100, description: 'Exact version, SemVer range or `latest`' })
const Schema = Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema' })
const Problem = Type.Object({ pointer: Type.String(), code: Type.String(), message: Type.String() })
const Image = {
  description: 'The icon',
  content: { 'image/svg+xml': { schema: Type.Unsafe<Buffer>({}) }, 'image/png': { schema: Type.Unsafe<Buffer>({}) } }
}
const Text = { description: 'Markdown', content: { 'text/plain': { schema: Type.String() } } }
/** An SVG may hold scripts, and a browser that opens its address would run them as the hub's. */
const imagePolicy = "default-src 'none'; sandbox"
const Members = Type.Record(Type.String(), Type.Unknown())

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(AdapterView)
  app.addSchema(ConnectionTest)
  const { registry } = app.adapters
  const tags = ['adapters']

  function find (adapterKey: string, version: string): LoadedAdapter {
    const adapter = registry.find(adapterKey, version)
    if (adapter === undefined) throw new NotFoundError(registry.explain(adapterKey, version))
    return adapter
  }

  /** Finds also an adapter that does not serve, by its exact version. */
  function findPackage (adapterKey: string, version: string): AdapterPackage {
    const name = `${adapterKey}@${version}`
    return registry.find(adapterKey, version) ??
      registry.records.find(({ found }) => found !== undefined && nameOf(found) === name)?.found ??
      find(adapterKey, version)
  }

  app.get('/adapters', {
    config: { scope: 'read' },
    schema: {
      tags,
      operationId: 'listAdapters',
      summary: 'List the adapters of this hub, including those that failed to load',
      description: 'An adapter that failed to load has a `state` and an `error` that say why. An adapter whose ' +
        'folder holds newer code has `changed`.',
      response: { 200: Type.Array(Type.Ref(AdapterView)) }
    }
  }, async () => {
    const pins = await countPins(app.database.query)
    const uses = countUses(registry, pins)
    return Promise.all(registry.records.map(async record =>
      describeAdapter(registry, record, uses, await record.adapter?.findChange?.())
    ))
  })

  app.get('/adapters/:key/versions/:version/schema', {
    config: { scope: 'read', problems: ['LNK_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readAdapterSchema',
      summary: 'Read the JSON Schemas of config, settings and credentials for an adapter version',
      description:
        'Use the schemas to show a form. Members with `secret: true` are never shown again; credentials are stored ' +
        "encrypted when `LINKER_CREDENTIALS_KEY` is set. `settings` are the hub's own: those that a connection with " +
        'all capabilities of the adapter has.',
      params: Type.Object({ key: Key, version: Version }),
      response: {
        200: Type.Object({
          adapterKey: Type.String(),
          version: Type.String(),
          config: Schema,
          settings: Schema,
          credentials: Schema
        })
      }
    }
  }, async request => {
    const { manifest, version, description, supportedCapabilities } = find(request.params.key, request.params.version)
    return {
      adapterKey: manifest.adapterKey,
      version,
      config: { ...description.config },
      settings: settingsSchemaFor(supportedCapabilities),
      credentials: { ...description.credentials }
    }
  })

  app.get('/adapters/:key/versions/:version/icon', {
    config: { scope: 'read', problems: ['LNK_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readAdapterIcon',
      summary: 'Read the icon of an adapter version',
      description: 'Answers 304 without a body when `If-None-Match` has the ETag of the icon.',
      params: Type.Object({ key: Key, version: Version }),
      response: { 200: Image, 304: { description: 'The icon has not changed' } }
    }
  }, async (request, reply) => {
    const { key, version } = request.params
    const { icon } = findPackage(key, version)
    if (icon === undefined) throw new NotFoundError(`${key}@${version} has no icon`)
    const { type, bytes, etag } = icon
    // An author may change the icon of a version that he develops, so a browser asks each time.
    reply.headers({ etag, 'cache-control': 'private, no-cache', 'content-security-policy': imagePolicy })
    // A proxy that compresses makes the tag a weak one.
    if (request.headers['if-none-match']?.replace(/^W\//, '') === etag) return reply.code(304).send()
    return reply.type(type).send(bytes)
  })

  app.get('/adapters/:key/versions/:version/changelog', {
    config: { scope: 'read', problems: ['LNK_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readAdapterChangelog',
      summary: 'Read the changelog of an adapter version',
      description: 'The first 256 KiB of the CHANGELOG.md in its package, with a note when it is longer.',
      params: Type.Object({ key: Key, version: Version }),
      response: { 200: Text }
    }
  }, async (request, reply) => {
    const { key, version } = request.params
    const text = await readChangelog(findPackage(key, version))
    if (text === undefined) throw new NotFoundError(`${key}@${version} has no changelog`)
    return reply.type('text/plain; charset=utf-8').serializer(String).send(text)
  })

  app.post('/adapters/:key/config/validate', {
    config: {
      scope: 'operate',
      changesNothing: true,
      problems: ['LNK_NOT_FOUND', 'LNK_ADAPTER_CHECK_STOPPED']
    },
    schema: {
      tags,
      operationId: 'validateConfig',
      summary: 'Check a config and optional credentials as the creation of a connection does, without storing them; ' +
        'test=true also tests them at the platform and needs the scope admin',
      description: 'Answers 200 also when something is wrong: read `valid` and `errors`.',
      params: Type.Object({ key: Key }),
      querystring: Type.Object({
        version: Type.String({ minLength: 1, maxLength: 100, default: 'latest' }),
        test: Type.Boolean({ default: false })
      }, { additionalProperties: false }),
      body: Type.Object({
        config: Members,
        credentials: Type.Optional(Type.Union([Members, Type.String({ minLength: 1 })]))
      }, { additionalProperties: false }),
      response: {
        200: Type.Object({
          valid: Type.Boolean(),
          errors: Type.Array(Problem),
          warnings: Type.Array(Problem),
          test: Type.Optional(Type.Ref(ConnectionTest))
        })
      }
    }
  }, async (request, reply) => {
    const { params: { key }, query: { version, test }, body } = request
    // The caller chooses the server that gets the credentials, as at the creation of a connection.
    if (test) await app.authenticate(request, reply, 'admin')
    const adapter = find(key, version)
    const judged = test
      ? await trySettings(app.adapters, adapter, body, { requestId: request.id, log: request.log })
      : await checkSettings(adapter, body)
    return { valid: judged.errors.length === 0, ...judged }
  })
}

export default routes
