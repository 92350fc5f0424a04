import { deepStrictEqual, doesNotMatch, equal, match, rejects } from 'node:assert/strict'
import { AdapterErrorCode } from '../../errors.ts'
import type { TestLogLine } from '../memory-services.ts'
import { credentialsOf, openProbe, type ContractTest, type HostUnderTest } from './host-under-test.ts'

export const telemetryContract: readonly ContractTest[] = [
  {
    name: 'counts are added up, and observations keep their order',
    async run (host) {
      const probe = await openProbe(host)
      const [counted, observed] = [host.count('orders_read'), host.observations('page_size').length]

      await probe.run([{ do: 'count', name: 'orders_read' }, { do: 'count', name: 'orders_read', by: 41 }, {
        do: 'observe',
        name: 'page_size',
        value: 100
      }, { do: 'observe', name: 'page_size', value: 0.5 }])

      equal(host.count('orders_read'), counted + 42)
      deepStrictEqual(host.observations('page_size').slice(observed), [100, 0.5])
    }
  },
  {
    name: 'a log line has its level, its fields, its message and the connection',
    async run (host) {
      const probe = await openProbe(host)

      await probe.run([
        {
          do: 'log',
          level: 'info',
          fields: { orders: 3, nested: { list: ['a'] }, connectionId: 'another' },
          message: 'orders were read'
        },
        { do: 'log', level: 'warn', fields: { page: 2 }, message: 'the function is left out', withFunction: true }
      ])

      const [line, withFunction] = linesOf(host, probe.id)
      deepStrictEqual([line?.level, line?.fields, line?.message], ['info', {
        orders: 3,
        nested: { list: ['a'] },
        connectionId: probe.id
      }, 'orders were read'])
      deepStrictEqual([withFunction?.level, withFunction?.fields], ['warn', {
        page: 2,
        callback: '[function]',
        connectionId: probe.id
      }])
    }
  },
  {
    name: 'secrets, including renewed ones, are in no log line and in no error',
    async run (host) {
      const renewed = credentialsOf(host, 'a-renewed-access-token')
      const probe = await openProbe(host, credentialsOf(host, 'an-old-access-token', 0))
      const secrets = [
        'an-old-access-token',
        'refresh-of-an-old-access-token',
        renewed.accessToken,
        renewed.refreshToken
      ]
      const told = secrets.join(' and ')

      const failing = probe.run([
        { do: 'token', renewed },
        { do: 'log', level: 'error', fields: { told, deep: [{ secrets }] }, message: `with ${told}` },
        { do: 'fail', message: `the platform refused ${told}` }
      ])

      const failure: unknown = await failing.catch((error: unknown) => error)
      deepStrictEqual(failure instanceof Error && 'code' in failure ? failure.code : failure, AdapterErrorCode.rejected)
      const lines = JSON.stringify(linesOf(host, probe.id))
      match(lines, /with \[redacted\]/)
      for (const secret of secrets) {
        doesNotMatch(lines, new RegExp(secret))
        doesNotMatch(failure instanceof Error ? `${failure.message}${failure.stack}` : '', new RegExp(secret))
      }
    }
  },
  {
    name: 'a call knows its deadline',
    async run (host) {
      const probe = await openProbe(host)
      const deadline = host.now().getTime() + 45_678

      equal(await probe.ask({ do: 'deadline' }, { deadline }), new Date(deadline).toISOString())
      equal(await probe.ask({ do: 'deadline' }), undefined)
    }
  },
  {
    name: 'an aborted call rejects, and its code sees the signal',
    async run (host) {
      const probe = await openProbe(host)
      const controller = new AbortController()
      const call = probe.run([{ do: 'set', key: 'begun', value: true }, { do: 'untilAborted' }], {
        signal: controller.signal
      })
      await probe.ask({ do: 'waitFor', key: 'begun' })

      controller.abort()

      await rejects(call, { code: AdapterErrorCode.transient })
      await probe.ask({ do: 'waitFor', key: 'aborted' })
      await rejects(probe.ask({ do: 'set', key: 'too late', value: true }, { signal: AbortSignal.abort() }), {
        code: AdapterErrorCode.transient
      })
      equal(await probe.ask({ do: 'get', key: 'too late' }), undefined)
    }
  }
]

function linesOf (host: HostUnderTest, connectionId: string): TestLogLine[] {
  return host.logs.filter(({ fields }) => 'connectionId' in fields && fields.connectionId === connectionId)
}
