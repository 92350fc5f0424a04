import { parseArgs } from 'node:util'
import { createRandom, generateCatalog, sampleProducts, startMktA, startMktB, startShopA } from './index.ts'

const { values } = parseArgs({
  options: {
    'shopa-port': { type: 'string', default: '4010' },
    'shopa-key': { type: 'string', default: 'SHOPA-SIMULATOR-KEY-00000000000A' },
    'shopa-time-zone': { type: 'string', default: 'Europe/Warsaw' },
    'cron-token': { type: 'string', default: 'cron' },
    // With 0, the shop sends webhooks only when somebody calls the address of its cron job.
    'deliver-every-ms': { type: 'string', default: '0' },
    // The number of generated products beside the sample products, and of combinations in each.
    'products': { type: 'string', default: '0' },
    'combinations-each': { type: 'string', default: '0' },
    // Equal seeds make the same accidents.
    'seed': { type: 'string', default: '1' },
    'mkta-web-port': { type: 'string', default: '4030' },
    'mkta-rest-port': { type: 'string', default: '4031' },
    'mkta-client-id': { type: 'string', default: 'mkta-simulator-client' },
    'mkta-client-secret': { type: 'string', default: 'mkta-simulator-secret' },
    'mkta-redirect-uri': { type: 'string', default: 'http://localhost:3000/integrations/mkta/oauth/callback' },
    // `ask` shows the seller a page in the browser; `grant` and `refuse` decide without a page.
    'mkta-consent': { type: 'string', default: 'ask' },
    'mkta-processing-ms': { type: 'string', default: '1000' },
    'mktb-port': { type: 'string', default: '4020' },
    'mktb-key': { type: 'string', default: 'mktb-simulator-key' },
    // The real marketplace shows a write after 20 minutes, which are 1 200 000 ms.
    'mktb-lag-ms': { type: 'string', default: '0' },
    'hub-url': { type: 'string', default: '' },
    'connection-id': { type: 'string', default: '' },
    'webhook-secret': { type: 'string', default: '' }
  }
})

type Option = keyof typeof values

const shopPort = wholeNumber('shopa-port')
const mktaPorts = { webPort: wholeNumber('mkta-web-port'), restPort: wholeNumber('mkta-rest-port') }
const decision = consentDecision(values['mkta-consent'])
const processingMs = wholeNumber('mkta-processing-ms')
const mktbPort = wholeNumber('mktb-port')
const lagMs = wholeNumber('mktb-lag-ms')
const deliverEveryMs = wholeNumber('deliver-every-ms')
const catalog = generateCatalog({
  products: wholeNumber('products'),
  combinationsEach: wholeNumber('combinations-each')
})
const random = createRandom(wholeNumber('seed'))

const shop = await startShopA({
  apiKey: values['shopa-key'],
  port: shopPort,
  timeZone: values['shopa-time-zone'],
  products: [...sampleProducts, ...catalog],
  random,
  cronToken: values['cron-token']
})
const { 'mkta-client-id': clientId, 'mkta-client-secret': clientSecret, 'mkta-redirect-uri': redirectUri } = values
const application = { clientId, clientSecret, redirectUri }
const mkta = await startMktA({ application, ...mktaPorts, random })
const mktb = await startMktB({ apiKey: values['mktb-key'], port: mktbPort, lagMs, random })
shop.sender.configure({
  baseUrl: values['hub-url'],
  connectionId: values['connection-id'],
  secret: values['webhook-secret']
})
if (deliverEveryMs > 0) shop.sender.deliverAutomatically(deliverEveryMs)
mkta.consent.decision = decision
mkta.switches.processingMs = processingMs
mkta.addOffer({ id: '7680001234', name: 'Mug red', external: { id: 'hub-variant-1' }, stock: { available: 8 } })
mktb.addProduct('hub-variant-1', { name: 'Mug red', price: 10_000, stock: 8 })

// Install the signal handlers before printing the addresses: a supervisor may stop the simulators
// as soon as it sees them.
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
console.log(`shopA  ${shop.apiUrl}  key ${values['shopa-key']}`)
console.log(`mktA   web ${mkta.web.url}  rest ${mkta.rest.url}  ` +
  `client ${clientId}  secret ${clientSecret}  redirect ${redirectUri}`)
console.log(`mktB   ${mktb.baseUrl}  key ${values['mktb-key']}`)

async function stop (): Promise<void> {
  await Promise.all([shop.close(), mkta.close(), mktb.close()])
}

function wholeNumber (option: Option): number {
  const value = values[option]
  if (!/^\d+$/.test(value)) throw new TypeError(`--${option} must be a whole number, not '${value}'`)
  return Number(value)
}

function consentDecision (value: string): 'ask' | 'grant' | 'refuse' {
  if (value !== 'ask' && value !== 'grant' && value !== 'refuse') {
    throw new TypeError(`--mkta-consent must be ask, grant or refuse, not '${value}'`)
  }
  return value
}
