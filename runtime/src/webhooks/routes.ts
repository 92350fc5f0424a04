import { webhookBodyLimitBytes } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import type {
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preParsingHookHandler,
  RequestPayload
} from 'fastify'
import { createHash, randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { createSealing } from '../credentials/sealing.ts'
import {
  PayloadTooLargeError,
  SignatureMismatchError,
  WebhookConnectionNotFoundError,
  WebhookMalformedError
} from '../errors.ts'
import { toKnownError } from '../http/problem.ts'
import { recordDelivery } from '../observability/spans.ts'
import { WebhookBody } from './body.ts'
import { createGate, type Challenged, type Delivery, type Gate, type GateOptions, type Ignored } from './gate.ts'
import type { Refusal } from './refusals/refusals.ts'
import { createSecrets } from './secrets.ts'
import { createSecretOpener } from './stored-secrets.ts'

export interface WebhookRoutesOptions {
  config: Pick<Config, 'webhookSecrets' | 'webhookSkewMs' | 'webhookMostBytes' | 'credentialsKey'>
  now: () => Date
  hasJob: GateOptions['hasJob']
  isGenuine: GateOptions['isGenuine']
  /**
   * For metrics. The outcome of a delivery is `accepted`, `duplicate` or the code of the refusal,
   * that of a challenge is `challenge`. The connection of a refused delivery may not exist.
   */
  onOutcome?(provider: string, outcome: string, connectionId: string): void
  /** Called for each refused delivery. The connection may not exist. */
  onRefused?(connectionId: string, refusal: Refusal): void
}

interface Address {
  Params: { provider: string, connectionId: string }
  Body: Buffer | undefined
}

const DeliveryVerdict = Type.Object({
  ok: Type.Boolean(),
  ignored: Type.Optional(Type.String({ description: 'Reason why the hub would accept the event but start no job' })),
  warning: Type.Optional(Type.String({ description: 'Reason why the hub would start a job that may find nothing' })),
  check: Type
    .Optional(Type.String({ description: 'The first check that fails: encoding, connection, authentication or body' })),
  status: Type.Optional(Type.Integer({ description: 'Status that the delivery would get' })),
  code: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  received: Type.Optional(Type.Object({
    bytes: Type.Integer(),
    sha256: Type.String({ description: 'Lower-case hex' })
  }, {
    description:
      'The body as the hub received it, when the signature does not fit. If the sender signed other bytes, its own ' +
      'figures differ; if they are equal, it used another secret, timestamp or order'
  }))
}, { $id: 'WebhookVerdict' })
type DeliveryVerdict = Static<typeof DeliveryVerdict>

/** The answer to an accepted delivery, which has no body. */
const Stored = Type.Null({
  description: 'Stored now or earlier',
  headers: {
    'X-Linker-Delivery-Id': {
      type: 'string',
      description: 'Id of the delivery; a repetition gets the same. `GET /webhook-deliveries/{id}` tells its fate'
    },
    'X-Linker-Events': {
      type: 'string',
      description: 'How many events the body has, unless it is one. X-Linker-Delivery-Id has the ids of the first 20'
    },
    'X-Linker-Duplicate': {
      type: 'string',
      enum: ['true'],
      description: 'The hub had this event, or each event of the list, already, so this delivery changes nothing'
    },
    'X-Linker-Duplicates': {
      type: 'string',
      description: 'How many events of the body the hub had already, unless the body has one event'
    },
    'X-Linker-Ignored': {
      type: 'string',
      enum: ['unknown-event-type', 'unwanted-event-type'] satisfies Ignored[],
      description: 'Why no job starts. `unknown-event-type`: the hub knows no job for this event type, so it only ' +
        'keeps the event. `unwanted-event-type`: the adapter does not want the event, so the hub does not keep it'
    }
  }
})

const ChallengeText = Type.String({ description: 'The answer that the adapter declares: plain text, JSON or nothing' })
/** The statuses of an answer that an adapter declares, for a challenge or for deliveries. */
const declaredAnswers = {
  200: ChallengeText,
  201: ChallengeText,
  202: ChallengeText,
  204: Type.Null({ description: 'The answer that the adapter declares' })
}

const address = '/webhooks/:provider/:connectionId'
const deliveryIdHeader = 'x-linker-delivery-id'
const duplicateHeader = 'x-linker-duplicate'
const duplicatesHeader = 'x-linker-duplicates'
const ignoredHeader = 'x-linker-ignored'
const eventsHeader = 'x-linker-events'
// Proxies refuse answers with large headers.
const mostShownIds = 20
const noBody = Buffer.alloc(0)

const routes: FastifyPluginAsync<WebhookRoutesOptions> = async (
  app,
  { config, now, hasJob, isGenuine, onOutcome, onRefused }
) => {
  const secretsOf = createSecrets({
    variables: config.webhookSecrets,
    open: createSecretOpener(createSealing(config)),
    now,
    onUnreadable (connectionId, error) {
      app.log.error({ err: error, connectionId }, 'a stored webhook secret cannot be read')
    }
  })
  const gate = createGate({
    connections: app.webhookConnections,
    streams: app.streams,
    intake: app.intake,
    secretsOf,
    hasJob,
    isGenuine,
    now,
    skewMs: config.webhookSkewMs
  })
  const params = Type.Object({ provider: Type.String(), connectionId: Type.String() })
  const options = {
    config: { scope: 'webhook' as const },
    bodyLimit: config.webhookMostBytes,
    ...config.webhookMostBytes > webhookBodyLimitBytes ? largeBodyHooks(gate) : {},
    validatorCompiler: () => () => true
  }
  app.addSchema(DeliveryVerdict)

  // The signature covers the bytes received, so nothing here may parse them first, and the schemas
  // only describe.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: config.webhookMostBytes }, (_request, body, done) => {
    done(null, body)
  })

  app.setErrorHandler<Error & { code?: string }, Address>((error, request, reply) => {
    reply.header(deliveryIdHeader, randomUUID())
    const refusal = toRefusal(error, request)
    if (request.routeOptions.url === address && !isStray(request, refusal)) report(request.params, refusal)
    throw refusal
  })

  function report ({ provider, connectionId }: Address['Params'], refusal: Error): void {
    const { code, message, errors = [] } = toKnownError(refusal, config.webhookMostBytes)
    onOutcome?.(provider, code, connectionId)
    // The words about single members may repeat what the sender sent. All others are the hub's own.
    onRefused?.(connectionId, { code, detail: errors.length === 0 ? message : undefined })
  }

  app.post<Address>(address, {
    ...options,
    config: {
      ...options.config,
      problems: [
        'LNK_WEBHOOK_MALFORMED',
        'LNK_WEBHOOK_HEADER_MISSING',
        'LNK_SIGNATURE_MISMATCH',
        'LNK_TIMESTAMP_OUTSIDE_WINDOW',
        'LNK_WEBHOOK_SECRET_MISSING',
        'LNK_WEBHOOK_NOT_READY',
        'LNK_WEBHOOK_PROOF_UNAVAILABLE',
        'LNK_WEBHOOK_CONNECTION_NOT_FOUND',
        'LNK_PUBLISH_FAILED',
        'LNK_INTAKE_FULL'
      ]
    },
    schema: {
      tags: ['webhooks'],
      operationId: 'deliverWebhook',
      summary: 'Deliver an event',
      description:
        'For platforms and shops. The signature covers the bytes of the body as they were sent. Send a delivery ' +
        'again after a 500 or 503; other refusals need a correction first. Each event of a list counts once, so a ' +
        'list may come again with further events: X-Linker-Duplicates says how many the hub had already. An adapter ' +
        'may declare another answer than 202 for its platform.',
      params,
      body: WebhookBody,
      produces: ['text/plain'],
      response: { ...declaredAnswers, 202: Stored }
    }
  }, async (request, reply) => {
    const startMs = Date.now()
    const accepted = await gate.accept(deliveryOf(request))
    const { provider, connectionId } = request.params
    if ('challenge' in accepted) return answerTo(request.params, accepted, reply)
    const { deliveryIds, duplicates, ignored, answer } = accepted
    const isDuplicate = duplicates > 0 && duplicates === deliveryIds.length
    onOutcome?.(provider, isDuplicate ? 'duplicate' : 'accepted', connectionId)
    recordDelivery(request.id, startMs, { 'linker.connection.id': connectionId, 'linker.platform': provider })
    if (isDuplicate) reply.header(duplicateHeader, 'true')
    if (ignored !== undefined) reply.header(ignoredHeader, ignored)
    if (deliveryIds.length !== 1) {
      reply.header(eventsHeader, String(deliveryIds.length)).header(duplicatesHeader, String(duplicates))
    }
    reply.code(answer?.status ?? 202).header(deliveryIdHeader, shownIds(deliveryIds))
    return answer?.text === undefined ? reply.send() : sendText(reply, answer.text)
  })

  const challengeProblems = [
    'LNK_WEBHOOK_MALFORMED',
    'LNK_WEBHOOK_HEADER_MISSING',
    'LNK_SIGNATURE_MISMATCH',
    'LNK_TIMESTAMP_OUTSIDE_WINDOW',
    'LNK_WEBHOOK_SECRET_MISSING',
    'LNK_WEBHOOK_NOT_READY',
    'LNK_WEBHOOK_PROOF_UNAVAILABLE',
    'LNK_WEBHOOK_CONNECTION_NOT_FOUND',
    'LNK_PUBLISH_FAILED'
  ]

  async function challenged (request: FastifyRequest<Address>, reply: FastifyReply): Promise<FastifyReply> {
    const accepted = await gate.accept(deliveryOf(request))
    // The gate refuses any other request that is not a POST.
    if (!('challenge' in accepted)) throw new WebhookConnectionNotFoundError()
    return answerTo(request.params, accepted, reply)
  }

  function answerTo (
    { provider, connectionId }: Address['Params'],
    { challenge }: Challenged,
    reply: FastifyReply
  ): FastifyReply {
    onOutcome?.(provider, 'challenge', connectionId)
    const { status, headers, body, isJson } = challenge
    reply.isForAnybody = true
    reply.code(status).headers({ ...headers }).header(deliveryIdHeader, randomUUID())
    if (body === undefined) return reply.send()
    return sendText(reply, body, isJson ? 'application/json' : 'text/plain')
  }

  app.get<Address>(address, {
    ...options,
    exposeHeadRoute: false,
    config: { ...options.config, problems: challengeProblems },
    schema: {
      tags: ['webhooks'],
      operationId: 'answerWebhookChallenge',
      summary: 'Answer a challenge of the platform',
      description:
        'For platforms that check the address of their webhooks. The adapter declares the requests and the answers. ' +
        'Any other request gets the 404 of an unknown connection.',
      params,
      produces: ['text/plain'],
      response: declaredAnswers
    }
  }, challenged)

  app.options<Address>(address, {
    ...options,
    config: { ...options.config, problems: challengeProblems },
    schema: {
      tags: ['webhooks'],
      operationId: 'answerWebhookHandshake',
      summary: 'Answer a handshake of the platform',
      description: 'For platforms that ask by OPTIONS whether they may send webhooks. As GET.',
      params,
      produces: ['text/plain'],
      response: declaredAnswers
    }
  }, challenged)

  app.post<Address>(`${address}/test`, {
    ...options,
    config: { ...options.config, problems: ['LNK_WEBHOOK_CONNECTION_NOT_FOUND'] },
    schema: {
      tags: ['webhooks'],
      operationId: 'testWebhook',
      summary: 'Check a delivery without any effect',
      description:
        'Runs the checks of a delivery in their order and answers 200 with the verdict, also when a real delivery ' +
        'would be refused. Use it while you write a sender.',
      params,
      body: WebhookBody,
      response: { 200: Type.Ref(DeliveryVerdict) }
    }
  }, async (request, reply) => {
    reply.header(deliveryIdHeader, randomUUID())
    return judge(gate, deliveryOf(request), config.webhookMostBytes)
  })
}

/** Whether somebody has only looked at the address. That says nothing about the platform. */
function isStray ({ method }: FastifyRequest, refusal: Error): boolean {
  return method !== 'POST' && refusal instanceof WebhookConnectionNotFoundError
}

/** A text of a platform or of a stranger: no browser may take it for a page. */
function sendText (reply: FastifyReply, text: string, type = 'text/plain'): FastifyReply {
  return reply.type(`${type}; charset=utf-8`).header('x-content-type-options', 'nosniff').serializer(String).send(text)
}

function toRefusal (error: Error & { code?: string }, request: FastifyRequest): Error {
  // Fastify refuses a Content-Type that is no media type before any parser runs.
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new WebhookMalformedError('Content-Type must be application/json')
  }
  return error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' && isChunked(request)
    ? new PayloadTooLargeError(webhookBodyLimitBytes)
    : error
}

/**
 * Keeps the hub from holding a large body in memory for anybody: only for an address whose
 * connection declares such bodies, and only with its length announced.
 */
function largeBodyHooks (gate: Gate): { onRequest: onRequestAsyncHookHandler, preParsing: preParsingHookHandler } {
  return {
    async onRequest ({ headers, params }, reply) {
      const length = Number(headers['content-length'] ?? 0)
      if (length <= webhookBodyLimitBytes) return
      const most = await gate.mostBytes(params as Address['Params'])
      if (length <= most) return
      // To keep the connection, Node would read the whole body that is refused here.
      reply.header('connection', 'close')
      throw new PayloadTooLargeError(most)
    },
    // Not async: the body begins to flow in the next tick, and the parser must listen by then.
    preParsing (request, _reply, payload, done) {
      if (isChunked(request)) limitChunks(payload)
      done(null, payload)
    }
  }
}

function isChunked ({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined
}

/** Fastify compares this length, if any, with the limit of the route after each chunk. */
function limitChunks (payload: RequestPayload): void {
  let bytes = 0
  payload.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    payload.receivedEncodedLength = bytes > webhookBodyLimitBytes ? Number.POSITIVE_INFINITY : bytes
  })
}

/**
 * Tells a sender no more than the delivery itself would. When the hub cannot judge now, it answers
 * with the error and gives no verdict.
 */
async function judge (gate: Gate, delivery: Delivery, mostBytes: number): Promise<DeliveryVerdict> {
  const judgement = await gate.check(delivery)
  if (judgement.isAccepted) return { ok: true, ignored: judgement.ignored, warning: judgement.warning }
  const { check, error } = judgement
  const { code, statusCode: status, message } = toKnownError(error, mostBytes)
  if (status >= 500) throw error
  const received = error instanceof SignatureMismatchError ? { received: describeBody(delivery.rawBody) } : {}
  return { ok: false, check, status, code, message, ...received }
}

function describeBody (body: Buffer): NonNullable<DeliveryVerdict['received']> {
  return { bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') }
}

/** A delivery without an event has an id that the hub does not keep, as a refusal has. */
function shownIds (ids: readonly string[]): string {
  return ids.length === 0 ? randomUUID() : ids.slice(0, mostShownIds).join(', ')
}

function deliveryOf (request: FastifyRequest<Address>): Delivery {
  const { provider, connectionId } = request.params
  const { originalUrl } = request
  const queryAt = originalUrl.indexOf('?')
  return {
    provider,
    connectionId,
    method: request.method,
    query: queryAt === -1 ? '' : originalUrl.slice(queryAt + 1),
    headers: request.headers,
    rawHeaders: request.raw.rawHeaders,
    rawBody: request.body ?? noBody,
    requestId: request.id
  }
}

export default routes
