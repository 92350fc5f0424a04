import { parseArgs } from 'node:util'
import { createRandom, generateCatalog, sampleProducts, startMktB, startShopA } from './index.ts'

const { values } = parseArgs({
  options: {
    'shopa-port': { type: 'string', default: '4010' },
    'shopa-key': { type: 'string', default: 'SHOPA-SIMULATOR-KEY-00000000000A' },
    'shopa-time-zone': { type: 'string', default: 'Europe/Warsaw' },
    'cron-token': { type: 'string', default: 'cron' },
    // 0: webhooks are sent by calls of the cron address alone.
    'deliver-every-ms': { type: 'string', default: '0' },
    // A generated catalog beside the sample products.
    'products': { type: 'string', default: '0' },
    'combinations-each': { type: 'string', default: '0' },
    'seed': { type: 'string', default: '1' },
    'mktb-port': { type: 'string', default: '4020' },
    'mktb-key': { type: 'string', default: 'mktb-simulator-key' },
    'mktb-lag-ms': { type: 'string', default: '1200000' },
    'hub-url': { type: 'string', default: '' },
    'connection-id': { type: 'string', default: '' },
    'webhook-secret': { type: 'string', default: '' }
  }
})

const shopPort = wholeNumber('shopa-port')
const marketPort = wholeNumber('mktb-port')
const lagMs = wholeNumber('mktb-lag-ms')
const deliverEveryMs = wholeNumber('deliver-every-ms')
const catalog = generateCatalog({ products: wholeNumber('products'), combinationsEach: wholeNumber('combinations-each') })
const random = createRandom(wholeNumber('seed'))

const shop = await startShopA({
  apiKey: values['shopa-key'],
  port: shopPort,
  timeZone: values['shopa-time-zone'],
  products: [...sampleProducts, ...catalog],
  random,
  cronToken: values['cron-token']
})
const market = await startMktB({ apiKey: values['mktb-key'], port: marketPort, lagMs, random })
shop.sender.configure({ baseUrl: values['hub-url'], connectionId: values['connection-id'], secret: values['webhook-secret'] })
if (deliverEveryMs > 0) shop.sender.deliverAutomatically(deliverEveryMs)
market.addProduct('hub-variant-1', { name: 'Mug red', price: 10_000, stock: 8 })

console.log(`shopA  ${shop.apiUrl}  key ${values['shopa-key']}`)
console.log(`mktB   ${market.baseUrl}  key ${values['mktb-key']}`)

async function stop (): Promise<void> {
  await Promise.all([shop.close(), market.close()])
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)

function wholeNumber (option: 'shopa-port' | 'mktb-port' | 'mktb-lag-ms' | 'deliver-every-ms' | 'products' | 'combinations-each' | 'seed'): number {
  const value = values[option]
  if (!/^\d+$/.test(value)) throw new TypeError(`--${option} is a whole number, not '${value}'`)
  return Number(value)
}
