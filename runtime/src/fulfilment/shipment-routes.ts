import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { carrierCapability, ShippingLabel } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { adapterProblems } from '../adapters/adapter-failure.ts'
import { openingProblems } from '../connections/open-connection.ts'
import { LabelNotFoundError } from '../errors.ts'
import { Id } from '../http/schemas.ts'
import { getShipment } from '../orders/shipments/shipments.ts'
import type { ShipmentRow } from '../orders/shipments/store.ts'
import { createAsk } from './ask-adapter.ts'
import { ShipmentView } from './schemas.ts'

const Params = Type.Object({ id: Id })

// The types that printers and viewers take. A browser only saves the others: it must not run what a
// third party's platform sent.
const labelTypes: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['application/zpl', 'zpl'],
  ['text/plain', 'txt']
])

const routes: FastifyPluginAsyncTypebox = async app => {
  app.addSchema(ShipmentView)
  const { database, connections } = app
  const ask = createAsk(app)
  const tags = ['fulfilment']

  app.get('/orders/:id/shipment', {
    config: { scope: 'read', problems: ['LNK_ORDER_NOT_FOUND', 'LNK_SHIPMENT_NOT_FOUND'] },
    schema: {
      tags,
      operationId: 'readShipment',
      summary: 'Read the parcel of an order',
      description: 'Shows the parcel that the hub had made by a carrier.',
      params: Params,
      response: { 200: Type.Ref(ShipmentView) }
    }
  }, async request => {
    return describeShipment(await getShipment(database.query, request.params.id))
  })

  app.get('/orders/:id/label', {
    config: {
      scope: 'read',
      problems: [
        ...openingProblems,
        'LNK_ORDER_NOT_FOUND',
        'LNK_SHIPMENT_NOT_FOUND',
        'LNK_LABEL_NOT_FOUND',
        'LNK_CONNECTION_PAUSED',
        'LNK_CAPABILITY_PAUSED',
        ...adapterProblems
      ]
    },
    schema: {
      tags,
      operationId: 'readLabel',
      summary: 'Read the shipping label of an order, as the carrier provides it',
      description:
        'Answers with the file of the carrier; `Content-Type` tells its kind, for example `application/pdf`.',
      params: Params,
      response: { 200: { description: 'The label', content: { '*/*': { schema: Type.Unknown() } } } }
    }
  }, async (request, reply) => {
    const { id } = request.params
    const { connectionId, externalId, status } = await getShipment(database.query, id)
    // Refuse the label of a parcel that was called back: nobody must print it.
    if (externalId === null || status !== 'created') throw new LabelNotFoundError(id, status)
    const opened = await connections.openEnabled(connectionId)
    const { mediaType, contentBase64 } = await ask(
      { opened, capability: carrierCapability, method: 'getLabel', args: [externalId], answer: ShippingLabel },
      request,
      reply
    )
    const type = mediaType.toLowerCase()
    const extension = labelTypes.get(type)
    return reply.type(extension === undefined ? 'application/octet-stream' : type)
      .header('content-disposition', `attachment; filename="label-${id.toLowerCase()}.${extension ?? 'bin'}"`)
      .send(Buffer.from(contentBase64, 'base64'))
  })
}

function describeShipment (shipment: ShipmentRow): ShipmentView {
  const { orderId, connectionId, status, externalId, tracking, problem } = shipment
  return {
    orderId,
    connectionId,
    status,
    externalId,
    tracking,
    problem,
    createdAt: new Date(shipment.createdAt).toISOString(),
    updatedAt: new Date(shipment.updatedAt).toISOString()
  }
}

export default routes
