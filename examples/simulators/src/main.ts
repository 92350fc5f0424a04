import { startControl } from './control.ts'
import { createRandom, generateCatalog, sampleProducts, startMktA, startMktB, startShopA } from './index.ts'
import { consentDecision, formatHelp, readOptions, wholeNumber, type Options } from './options.ts'
import { describeFailure, readPorts } from './ports.ts'

let ports: ReturnType<typeof readPorts> | undefined
try {
  const given = readOptions(process.argv.slice(2))
  if (given === undefined) console.log(formatHelp())
  else await start(given)
} catch (error) {
  console.error(`simulators: ${describeFailure(error, ports)}`)
  // Some of the servers may listen already.
  process.exit(1)
}

/** Checks all options before it starts a server. */
async function start (options: Options): Promise<void> {
  ports = readPorts(options)
  const decision = consentDecision(options['mkta-consent'])
  const processingMs = wholeNumber(options, 'mkta-processing-ms')
  const lagMs = wholeNumber(options, 'mktb-lag-ms')
  const deliverEveryMs = wholeNumber(options, 'deliver-every-ms')
  const catalog = generateCatalog({
    products: wholeNumber(options, 'products'),
    combinationsEach: wholeNumber(options, 'combinations-each')
  })
  const random = createRandom(wholeNumber(options, 'seed'))

  const shop = await startShopA({
    apiKey: options['shopa-key'],
    port: ports['shopa-port'],
    timeZone: options['shopa-time-zone'],
    products: [...sampleProducts, ...catalog],
    random,
    cronToken: options['cron-token']
  })
  const { 'mkta-client-id': clientId, 'mkta-client-secret': clientSecret, 'mkta-redirect-uri': redirectUri } = options
  const application = { clientId, clientSecret, redirectUri }
  const mkta = await startMktA({
    application,
    webPort: ports['mkta-web-port'],
    restPort: ports['mkta-rest-port'],
    random
  })
  const mktb = await startMktB({ apiKey: options['mktb-key'], port: ports['mktb-port'], lagMs, random })
  const control = await startControl({
    port: ports['control-port'],
    market: mktb,
    servers: { 'shopa': shop.faults, 'mkta-web': mkta.web.faults, 'mkta-rest': mkta.rest.faults, 'mktb': mktb.faults }
  })
  shop.sender.configure({
    baseUrl: options['hub-url'],
    connectionId: options['connection-id'],
    secret: options['webhook-secret']
  })
  if (deliverEveryMs > 0) shop.sender.deliverAutomatically(deliverEveryMs)
  // The buyers of the marketplaces live there, so that their orders reach the shop.
  shop.setCountryActive('PL', true)
  mkta.consent.decision = decision
  mkta.switches.processingMs = processingMs
  mkta.addOffer({ id: '7680001234', name: 'Mug red', external: { id: 'hub-variant-1' }, stock: { available: 8 } })
  mktb.addProduct('hub-variant-1', { name: 'Mug red', price: 10_000, stock: 8 })

  // Install the signal handlers before printing the addresses: a supervisor may stop the simulators
  // as soon as it sees them.
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  console.log(`shopA  ${shop.apiUrl}  key ${options['shopa-key']}`)
  console.log(`mktA   web ${mkta.web.url}  rest ${mkta.rest.url}  ` +
    `client ${clientId}  secret ${clientSecret}  redirect ${redirectUri}`)
  console.log(`faults ${control.url}/faults/…`)
  console.log(`orders ${control.url}/orders`)
  console.log(`mktB   ${mktb.baseUrl}  key ${options['mktb-key']}`)

  async function stop (): Promise<void> {
    await Promise.all([shop.close(), mkta.close(), mktb.close(), control.close()])
  }
}
