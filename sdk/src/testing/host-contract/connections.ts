import { deepStrictEqual, doesNotMatch, equal, match, notEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { AdapterErrorCode } from '../../errors.ts'
import type { NewConnection } from '../../route.ts'
import {
  askRoute,
  credentialsOf,
  openProbe,
  runRoute,
  type ContractTest,
  type HostUnderTest
} from './host-under-test.ts'
import type { ProbeCredentials, RouteStep } from './steps.ts'

interface Made {
  id: string
  name: string
}

function newConnection (host: HostUnderTest, more: Partial<NewConnection> = {}): NewConnection {
  return {
    name: 'Shop of Zażółć',
    config: { label: 'first' },
    credentials: credentialsOf(host, 'created-token'),
    ...more
  }
}

const get = (id: string): RouteStep => ({ do: 'getConnection', id })
const create = (connection: NewConnection, key: string = randomUUID()): RouteStep => {
  return { do: 'createConnection', connection, key }
}
const failureOf = (...steps: RouteStep[]): RouteStep => ({ do: 'attempt', steps })

export const connectionContract: readonly ContractTest[] = [
  {
    name: 'a route creates one connection for a key, with its credentials and values',
    async run (host) {
      const [connection, key] = [
        newConnection(host, { values: { account: { id: 7 }, none: null }, credentialsLabel: 'sandbox' }),
        randomUUID()
      ]

      const first = await askRoute(host, create(connection, key)) as Made
      const again = await askRoute(host, create({ ...connection, name: 'Another', values: { account: 8 } }, key))
      const other = await askRoute(host, create(connection)) as Made

      equal(first.name, connection.name)
      deepStrictEqual(again, first)
      notEqual(other.id, first.id)
      deepStrictEqual(await askRoute(host, get(first.id)), {
        ...first,
        status: 'active',
        config: { label: 'first' },
        values: [{ key: 'account', value: { id: 7 } }, { key: 'none', value: null }]
      })
      deepStrictEqual(await host.credentials(first.id), connection.credentials)
    }
  },
  {
    name: 'simultaneous requests with the same key create one connection',
    async run (host) {
      const [connection, key] = [newConnection(host), randomUUID()]

      const answers = await Promise.all(Array.from({ length: 5 }, () => askRoute(host, create(connection, key))))

      equal(new Set(answers.map(answer => (answer as Made).id)).size, 1)
    }
  },
  {
    name: 'the host creates no connection that the schemas refuse, and the error names the members',
    async run (host) {
      const { refreshToken: _missing, ...incomplete } = credentialsOf(host, 'created-token')
      const key = randomUUID()
      const refused: [NewConnection, string][] = [
        [newConnection(host, { config: { label: 5 } }), '/config/label'],
        [newConnection(host, { config: { calls: randomUUID() } }), '/config/calls'],
        [newConnection(host, { credentials: incomplete }), '/credentials/refreshToken'],
        [newConnection(host, { name: '' }), '/name'],
        [newConnection(host, { name: 'two\nlines' }), '/name'],
        [newConnection(host, { name: 'a'.repeat(201) }), '/name']
      ]

      for (const [connection, pointer] of refused) {
        const failure = await askRoute(host, failureOf(create(connection, key))) as {
          code: string,
          fields: { pointer: string }[]
        }
        equal(failure.code, AdapterErrorCode.rejected)
        deepStrictEqual(failure.fields.map(field => field.pointer), [pointer])
      }
      equal((await askRoute(host, create(newConnection(host), key)) as Made).name, 'Shop of Zażółć', 'the key is free')
    }
  },
  {
    name: 'create refuses values that the host could not store',
    async run (host) {
      const refused: [RouteStep, RegExp][] = [
        [create(newConnection(host, { credentialsLabel: 'a b' })), /RangeError/],
        [create(newConnection(host, { credentialsLabel: '' })), /RangeError/],
        [create(newConnection(host), ''), /RangeError/],
        [create(newConnection(host, { values: { '': 1 } })), /RangeError/],
        [create(newConnection(host, { values: { large: 'a'.repeat(65_536) } })), /RangeError/],
        [create(newConnection(host, { config: { label: 'a\0' } })), /TypeError/]
      ]

      for (const [step, error] of refused) match(JSON.stringify(await askRoute(host, failureOf(step))), error)
    }
  },
  {
    name: 'new credentials make a connection in error active again, and a disabled one stays disabled',
    async run (host) {
      const [broken, disabled] = [await openProbe(host), await openProbe(host)]
      await host.setStatus(broken.id, 'error')
      await host.setStatus(disabled.id, 'disabled')
      const renew = (id: string): RouteStep => ({
        do: 'replaceCredentials',
        id,
        credentials: credentialsOf(host, 'renewed-token'),
        values: { account: 9 }
      })

      const [before, renewed, , after, untouched] = await runRoute(host, [
        get(broken.id),
        renew(broken.id),
        renew(disabled.id),
        get(broken.id),
        get(disabled.id)
      ]) as Record<string, unknown>[]

      equal(before?.status, 'error')
      deepStrictEqual(renewed, { id: broken.id, name: after?.name })
      deepStrictEqual([after?.status, after?.values, untouched?.status], [
        'active',
        [{ key: 'account', value: 9 }],
        'disabled'
      ])
      for (const { id } of [broken, disabled]) {
        equal((await host.credentials(id) as ProbeCredentials).accessToken, 'renewed-token')
      }
    }
  },
  {
    name: 'credentials that the schema refuses do not replace the stored ones',
    async run (host) {
      const probe = await openProbe(host)

      const failure = await askRoute(
        host,
        failureOf({
          do: 'replaceCredentials',
          id: probe.id,
          credentials: { accessToken: 'alone' },
          values: { account: 1 }
        })
      ) as { code: string }

      equal(failure.code, AdapterErrorCode.rejected)
      equal((await host.credentials(probe.id) as ProbeCredentials).accessToken, 'first-token')
      equal(await probe.ask({ do: 'get', key: 'account' }), undefined)
    }
  },
  {
    name: 'a route finds neither connections of another platform nor connections that nobody made',
    async run (host) {
      const probe = await openProbe(host)
      const other = { platformType: 'other' } as const
      const replace = (id: string): RouteStep => ({
        do: 'replaceCredentials',
        id,
        credentials: credentialsOf(host, 'stolen-token')
      })
      const key = randomUUID()

      deepStrictEqual(await runRoute(host, [get(probe.id), replace(probe.id)], other), [undefined, undefined])
      for (const id of ['00000000-0000-4000-8000-000000000000', 'no-id']) {
        deepStrictEqual(await runRoute(host, [get(id), replace(id)]), [undefined, undefined], id)
      }
      equal((await host.credentials(probe.id) as ProbeCredentials).accessToken, 'first-token')
      const [ours, theirs] = [
        await askRoute(host, create(newConnection(host), key)) as Made,
        await askRoute(host, create(newConnection(host), key), other) as Made
      ]
      notEqual(ours.id, theirs.id, 'the same key makes another connection on another platform')
      equal(await askRoute(host, get(theirs.id)), undefined)
    }
  },
  {
    name: 'neither credentials given to a route nor secret members of a config reach a log or an error',
    async run (host) {
      const credentials = credentialsOf(host, 'token-of-the-route')
      const created = await askRoute(
        host,
        create(newConnection(host, { config: { pin: 'pin-of-the-shop' }, credentials }))
      ) as Made
      const told = { fields: { told: [credentials, 'pin-of-the-shop'] }, message: credentials.refreshToken }

      await runRoute(host, [get(created.id), { do: 'replaceCredentials', id: created.id, credentials }, {
        do: 'log',
        ...told
      }])
      await runRoute(host, [create(newConnection(host, { config: { pin: 'pin-of-the-shop' }, credentials })), {
        do: 'log',
        ...told
      }])

      doesNotMatch(JSON.stringify(host.logs), /token-of-the-route|pin-of-the-shop/)
    }
  }
]
