import { createAddressPolicy, type ResolveAll } from '@linker/sdk/host'
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import t from 'tap'
import { createClient, failureOf, startUpstream } from './support.ts'

const refused = {
  '127.0.0.1': 'loopback',
  '127.255.255.254': 'loopback',
  '0.0.0.0': 'unspecified',
  '0.1.2.3': 'unspecified',
  '10.0.0.1': 'private',
  '172.16.0.1': 'private',
  '172.31.255.255': 'private',
  '192.168.1.1': 'private',
  '100.64.0.1': 'carrier-grade NAT',
  '169.254.169.254': 'link-local',
  '224.0.0.1': 'multicast',
  '239.255.255.255': 'multicast',
  '255.255.255.255': 'broadcast',
  '192.0.0.8': 'reserved, documentation or benchmark',
  '192.0.2.1': 'reserved, documentation or benchmark',
  '198.18.0.1': 'reserved, documentation or benchmark',
  '198.51.100.7': 'reserved, documentation or benchmark',
  '203.0.113.5': 'reserved, documentation or benchmark',
  '240.0.0.1': 'reserved, documentation or benchmark',
  '::': 'unspecified',
  '::1': 'loopback',
  '::7f00:1': 'reserved',
  '::127.0.0.1': 'IPv4-mapped',
  '::ffff:127.0.0.1': 'IPv4-mapped',
  '::ffff:7f00:1': 'IPv4-mapped',
  '::ffff:8.8.8.8': 'IPv4-mapped',
  '::ffff:0:7f00:1': 'IPv4-translated',
  '64:ff9b::7f00:1': 'NAT64',
  '64:ff9b:1::a00:1': 'NAT64',
  '2002:7f00:1::': '6to4',
  '2001::1': 'teredo',
  'fc00::1': 'unique-local',
  'fd12:3456::1': 'unique-local',
  'fe80::1': 'link-local',
  'fe80::1%eth0': 'link-local',
  'fec0::1': 'site-local',
  'ff02::1': 'multicast',
  '2001:db8::1': 'reserved, documentation or benchmark',
  '3fff::1': 'reserved, documentation or benchmark',
  '100::1': 'discard',
  '4000::1': 'reserved',
  'not-an-address': 'not an IP address'
}

t.test('every address that is not public is refused, with its class', async t => {
  const policy = createAddressPolicy({ allow: [] })

  for (const [address, name] of Object.entries(refused)) t.equal(policy.refusedClass(address), name, address)
})

t.test('public addresses may be connected to', async t => {
  const policy = createAddressPolicy({ allow: [] })

  for (
    const address of [
      '8.8.8.8',
      '93.184.216.34',
      '100.63.255.255',
      '172.32.0.1',
      '2606:4700::1111',
      '2a00:1450:4001::1'
    ]
  ) {
    t.equal(policy.refusedClass(address), undefined, address)
  }
})

t.test('a CIDR of the operator allows its addresses and no others', async t => {
  const policy = createAddressPolicy({ allow: ['10.1.0.0/16', 'fd00:1::/32'] })

  t.equal(policy.refusedClass('10.1.2.3'), undefined)
  t.equal(policy.refusedClass('::ffff:10.1.2.3'), undefined)
  t.equal(policy.refusedClass('10.2.0.1'), 'private')
  t.equal(policy.refusedClass('fd00:1::5'), undefined)
  t.equal(policy.refusedClass('fd00:2::5'), 'unique-local')
})

for (const text of ['10.0.0.0', '10/8', '0x7f.0.0.1/8', '10.0.0.0/33', 'shop.test/24', 'fd00::/129', '']) {
  t.test(`'${text}' in outbound.allow is refused and quoted`, async t => {
    t.throws(() => createAddressPolicy({ allow: [text] }), {
      code: 'LNK_ADAPTER_CONFIGURATION',
      message: `outbound.allow: '${text}'`
    })
  })
}

const literals = [
  'http://127.0.0.1',
  'http://2130706433',
  'http://0x7f000001',
  'http://0177.0.0.1',
  'http://127.1',
  'http://[::1]',
  'http://[::ffff:7f00:1]',
  'http://[64:ff9b::7f00:1]',
  'http://[2002:7f00:1::]',
  'http://0',
  'http://１２７.0.0.1'
]
for (const literal of literals) {
  t.test(`${literal} is refused before a connection, naming class and setting`, async t => {
    const upstream = await startUpstream(t, (_request, response) => response.end())
    const { client, events } = createClient(t, { baseUrl: `${literal}:${upstream.port}` }, {
      addressPolicy: createAddressPolicy({ allow: [] })
    })

    const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

    t.equal(error.code, 'LNK_ADAPTER_CONFIGURATION')
    t.match(
      error.message,
      /\((loopback|IPv4-mapped|NAT64|6to4|unspecified)\); to allow it, add .*\/(32|128) to outbound\.allow/
    )
    t.equal(upstream.requests.length, 0)
    t.equal(events.length, 1, 'it is not tried again')
  })
}

t.test('a name that resolves to a public address first and 127.0.0.1 second is refused', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end())
  const resolve = answers([{ address: '93.184.216.34', family: 4 }, { address: '127.0.0.1', family: 4 }])
  const { client } = createClient(t, { baseUrl: `http://shop.test:${upstream.port}` }, {
    addressPolicy: createAddressPolicy({ allow: [], resolve })
  })

  const error = await failureOf(client.request({ method: 'POST', path: 'x' }))

  t.equal(error.code, 'LNK_ADAPTER_CONFIGURATION')
  t.match(error.message, /127\.0\.0\.1 of shop\.test.*loopback/)
  t.equal(upstream.requests.length, 0)
})

t.test('a name is checked again for each new connection', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.setHeader('connection', 'close').end())
  const resolve = answers([{ address: '127.0.0.1', family: 4 }], [{ address: '127.0.0.2', family: 4 }])
  const { client } = createClient(t, { baseUrl: `http://shop.test:${upstream.port}` }, {
    addressPolicy: createAddressPolicy({ allow: ['127.0.0.1/32'], resolve })
  })

  await client.request({ method: 'GET', path: 'first' })
  const error = await failureOf(client.request({ method: 'GET', path: 'second' }))

  t.equal(error.code, 'LNK_ADAPTER_CONFIGURATION')
  t.match(error.message, /127\.0\.0\.2 of shop\.test.*loopback/)
  t.equal(upstream.requests.length, 1)
})

t.test('a name is connected to at the address that was checked', async t => {
  const upstream = await startUpstream(t, (_request, response) => response.end('here'))
  const resolve = answers([{ address: '127.0.0.1', family: 4 }])
  const { client } = createClient(t, { baseUrl: `http://shop.test:${upstream.port}` }, {
    addressPolicy: createAddressPolicy({ allow: ['127.0.0.1/32'], resolve })
  })

  const response = await client.request({ method: 'GET', path: 'x' })

  t.equal(response.body, 'here')
  t.equal(upstream.requests[0]?.headers.host, `shop.test:${upstream.port}`)
})

t.test('localhost is refused because of the addresses that it resolves to', async t => {
  const { address } = await lookup('localhost')
  const { client } = createClient(t, { baseUrl: 'http://localhost:9' }, {
    addressPolicy: createAddressPolicy({ allow: [] })
  })

  const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

  t.equal(error.code, 'LNK_ADAPTER_CONFIGURATION')
  t.match(error.message, `${address} of localhost`)
})

t.test('a name without an address is a transient fault', async t => {
  const { client } = createClient(t, { baseUrl: 'http://shop.test', retries: 0 }, {
    addressPolicy: createAddressPolicy({ allow: [], resolve: answers([]) })
  })

  const error = await failureOf(client.request({ method: 'GET', path: 'x' }))

  t.equal(error.code, 'LNK_ADAPTER_TRANSIENT')
})

/** Returns one list per look-up, in order, and repeats the last list. */
function answers (...lists: LookupAddress[][]): ResolveAll {
  let lookups = 0
  return (_hostname, _options, callback) => {
    const list = lists[Math.min(lookups, lists.length - 1)] ?? []
    lookups += 1
    callback(null, list)
  }
}
