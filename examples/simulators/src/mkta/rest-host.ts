import type { FastifyInstance, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { withoutEmpty } from './absent.ts'
import { priceKind, publicationKind, quantityKind } from './command-kinds.ts'
import { registerCommands, type Commands } from './commands.ts'
import { registerDelivery, type Delivery } from './delivery.ts'
import { RestError, toAnswer } from './errors.ts'
import { LimitError, type Limits } from './limits.ts'
import { registerOfferEvents, type OfferEvents } from './offer-events.ts'
import { registerOffers, type OfferRoutes } from './offer-routes.ts'
import { registerOrders } from './order-routes.ts'
import type { Orders } from './orders.ts'
import type { Schedule } from './schedule.ts'
import { registerShipments, type Shipments } from './shipments.ts'
import type { Tokens } from './tokens.ts'
import { removeAt, unpublishedIn } from './unpublished.ts'

export const mediaType = 'application/vnd.mkta.public.v1+json'

const languages = ['en-US', 'pl-PL', 'uk-UA', 'cs-CZ', 'sk-SK', 'hu-HU']

export interface RestSwitches {
  /** Whether members without a value are left out or null. Default `absent`. */
  emptyMembers: 'absent' | 'null'
  /**
   * The answer to members that the published schemas do not have: 400 with their names, or they
   * are ignored. Default `refused`.
   */
  unpublishedMembers: 'refused' | 'ignored'
}

export interface RestHost extends OfferRoutes {
  restSwitches: RestSwitches
  tokens: Tokens
  limits: Limits
  schedule: Schedule
  commands: Commands
  offerEvents: OfferEvents
  orders: Orders
  shipments: Shipments
  delivery: Delivery
}

/**
 * Registers the REST host. It checks the token of a request first, then the limits, then the
 * headers, then the content.
 */
export function registerRestHost (app: FastifyInstance, host: RestHost): void {
  const { tokens, limits, schedule, offers, commands, offerEvents, orders, shipments, delivery, restSwitches } = host
  registerErrors(app, limits)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('trace-id', randomUUID()).type(mediaType)
  })
  app.addHook('preValidation', async request => {
    schedule.catchUp()
    limits.countRequest(request, tokens.grantOf(request.headers.authorization).account.id)
    checkHeaders(request)
    if (typeof request.body === 'string') request.body = parseBody(request.body)
    const schema = request.routeOptions.schema?.body
    if (typeof schema === 'object' && schema !== null) checkMembers(schema, request.body, restSwitches)
  })
  app.addHook(
    'preSerialization',
    async (_request, _reply, payload) => restSwitches.emptyMembers === 'null' ? payload : withoutEmpty(payload)
  )

  function authorise (request: FastifyRequest, scope: string): string {
    const { account, scopes } = tokens.grantOf(request.headers.authorization)
    if (!scopes.includes(scope)) {
      throw new RestError(403, { code: 'AccessDenied', message: `Access is denied: ${scope}` })
    }
    return account.id
  }

  app.get('/me', async request => {
    authorise(request, 'mkta:api:profile:read')
    return tokens.grantOf(request.headers.authorization).account
  })
  registerOffers(app, host, authorise)
  registerOfferEvents(app, offerEvents, authorise)
  registerCommands(app, quantityKind(offers), { commands, limits }, authorise)
  registerCommands(app, priceKind(offers), { commands, limits }, authorise)
  registerCommands(app, publicationKind(offers), { commands, limits }, authorise)
  registerOrders(app, orders, authorise)
  registerShipments(app, { shipments, orders }, authorise)
  registerDelivery(app, { delivery, isSeller: orders.isSeller }, authorise)
}

function checkHeaders ({ headers, body }: FastifyRequest): void {
  const { accept = '', 'content-type': contentType = '', 'accept-language': language } = headers
  if (!accept.split(',').some(type => essence(type) === mediaType)) {
    throw new RestError(406, {
      code: 'NotAcceptableException',
      message: `Not acceptable representation requested: ${accept}`
    })
  }
  if (body !== undefined && essence(contentType) !== mediaType) {
    throw new RestError(415, {
      code: 'UnsupportedMediaTypeException',
      message: `Content type '${contentType}' not supported`
    })
  }
  if (language !== undefined && !languages.includes(language)) {
    throw new RestError(422, {
      code: 'UnsupportedLanguageInAcceptLanguageHeader',
      message: `Unsupported language: ${language}`,
      path: 'Accept-Language'
    })
  }
}

function checkMembers (schema: object, body: unknown, { unpublishedMembers }: RestSwitches): void {
  const found = unpublishedIn(schema, body)
  if (unpublishedMembers === 'ignored') { for (const path of found) removeAt(body, path) }
  else if (found.length > 0) {
    const [path = ''] = found.map(names => names.join('.'))
    throw new RestError(400, {
      code: 'UnpublishedMember',
      message: `${path} is not in the published schema, or may not be null`,
      path
    })
  }
}

function essence (type: string): string {
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function parseBody (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RestError(400, { code: 'HttpMessageNotReadableException', message: 'The request body is not JSON' })
  }
}

function registerErrors (app: FastifyInstance, limits: Limits): void {
  app.setSchemaErrorFormatter(([problem]) => {
    return new RestError(400, {
      code: 'ConstraintViolationException',
      message: problem?.message ?? 'is invalid',
      path: problem?.instancePath.slice(1).replaceAll('/', '.')
    })
  })
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = toAnswer(error)
    if (error instanceof LimitError && limits.switches.sendsRetryAfter) {
      reply.header('retry-after', String(error.retryAfterSeconds))
    }
    return reply.code(status).type(error instanceof RestError ? mediaType : 'application/json').send(body)
  })
  app.setNotFoundHandler(request => {
    throw new RestError(404, { code: 'NotFound', message: `No such address: ${request.method} ${request.url}` })
  })
}
