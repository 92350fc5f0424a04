import t from 'tap'
import { channelSettingItems, settingItems, type JudgedSettings } from '../../../src/attention/items/setting-items.ts'

const safe: JudgedSettings = {
  credentialsKey: 'id:key',
  isProduction: true,
  host: '127.0.0.1',
  publicUrl: 'https://hub.example',
  databaseUrl: 'postgres://db',
  role: 'worker',
  syncsEmbedded: false,
  file: {},
  alerts: { quietMinutes: 60, leastSeverity: 'warning', webhook: undefined, mail: undefined }
}

t.test('safe settings are no items', async t => {
  t.strictSame(settingItems(safe), [])
})

t.test('each unsafe setting is an item that says what to set', async t => {
  const { credentialsKey: _key, databaseUrl: _database, ...rest } = safe
  const unsafe = {
    ...rest,
    publicUrl: 'http://hub.example',
    file: { outbound: { allow: ['0.0.0.0/0'] }, schedules: { sweep: { enabled: false }, poll: { every: '1m' } } }
  }

  t.strictSame(settingItems(unsafe).map(({ key, severity }) => [key, severity]), [
    ['unsafe-setting:credentials-key', 'warning'],
    ['unsafe-setting:public-url', 'warning'],
    ['unsafe-setting:outbound-allow', 'warning'],
    ['unsafe-setting:role', 'warning'],
    ['unsafe-setting:embedded-sync', 'warning'],
    ['schedules-off', 'info']
  ])
})

t.test('an embedded hub whose role is a part of its work only informs outside production', async t => {
  const { databaseUrl: _database, ...embedded } = safe
  const items = (role: JudgedSettings['role']) =>
    settingItems({ ...embedded, isProduction: false, role }).map(({ key, severity }) => [key, severity])

  t.strictSame(items('http'), [['unsafe-setting:role', 'info']])
  t.strictSame(items('worker'), [['unsafe-setting:role', 'info']])
  t.strictSame(items('all'), [])
})

t.test('a hub that listens for others without https is worse in production', async t => {
  const { publicUrl: _url, ...rest } = safe
  const items = (isProduction: boolean) => settingItems({ ...rest, host: '0.0.0.0', isProduction })

  t.match(items(true), [{ key: 'unsafe-setting:host', severity: 'warning' }])
  t.match(items(false), [{ severity: 'info' }])
  t.strictSame(settingItems({ ...rest, publicUrl: 'http://localhost:3000' }), [])
})

t.test('a hub that has had a connection for a day, and no channel for alerts, says so', async t => {
  const nowMs = Date.parse('2026-11-26T12:00:00.000Z')
  const dayAgo = new Date(nowMs - 86_400_001)
  const mail = { smtpUrl: 'smtps://mail.example', from: 'a@b.example', to: ['c@d.example'] }

  t.match(channelSettingItems(safe, dayAgo, nowMs), [{ kind: 'no-alert-channel', severity: 'info' }])
  t.strictSame(channelSettingItems(safe, new Date(nowMs - 86_400_000), nowMs), [])
  t.strictSame(channelSettingItems(safe, undefined, nowMs), [])
  t.strictSame(channelSettingItems({ alerts: { ...safe.alerts, mail } }, dayAgo, nowMs), [])
})
