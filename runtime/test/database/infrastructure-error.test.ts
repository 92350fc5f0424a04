import t from 'tap'
import { isDiskFull, isInfrastructureError } from '../../src/database/infrastructure-error.ts'

const withCode = (code: string): Error => Object.assign(new Error('failed'), { code })

t.test('the error of a server that is away, full or starting is an infrastructure error', async t => {
  for (
    const code of [
      'ECONNREFUSED',
      'ECONNRESET',
      'ETIMEDOUT',
      '08006',
      '57P01',
      '57P03',
      '53300',
      '40001',
      '40P01',
      '25006',
      '55P03',
      'LNK_DATABASE_UNAVAILABLE',
      'LNK_DISK_FULL'
    ]
  ) {
    t.ok(isInfrastructureError(withCode(code)), code)
  }
  for (
    const message of [
      'Connection is closed.',
      'Command timed out',
      "Stream isn't writeable and enableOfflineQueue options is false",
      'Connection terminated unexpectedly',
      'timeout exceeded when trying to connect',
      "OOM command not allowed when used memory > 'maxmemory'.",
      'LOADING Redis is loading the dataset in memory',
      "READONLY You can't write against a read only replica."
    ]
  ) {
    t.ok(isInfrastructureError(new Error(message)), message)
  }
})

t.test('an error of the infrastructure is found inside the error of a library', async t => {
  t.ok(isInfrastructureError(new Error('insert failed', {
    cause: new Error('driver', { cause: withCode('ECONNRESET') })
  })))
})

t.test('the error of a full disk is found inside other errors', async t => {
  for (const code of ['53100', 'ENOSPC', 'LNK_DISK_FULL']) {
    t.ok(isDiskFull(new Error('insert failed', { cause: withCode(code) })), code)
    t.ok(isInfrastructureError(withCode(code)), code)
  }
  t.notOk(isDiskFull(withCode('53300')))
  t.notOk(isDiskFull('ENOSPC'))
})

t.test('an error that the caller caused is none of the infrastructure', async t => {
  for (const code of ['22P02', '22021', '23505', '42703', '54000', 'LNK_REQUEST_INVALID']) {
    t.notOk(isInfrastructureError(withCode(code)), code)
  }
  for (
    const value of [
      new RangeError('no'),
      new Error('WRONGTYPE Operation against a key holding the wrong kind of value'),
      new Error('OOMph'),
      'ECONNREFUSED',
      undefined,
      null
    ]
  ) {
    t.notOk(isInfrastructureError(value), String(value))
  }
})

t.test('the search ends at an error that is its own cause', async t => {
  const error = new Error('round')
  error.cause = error

  t.notOk(isInfrastructureError(error))
})
