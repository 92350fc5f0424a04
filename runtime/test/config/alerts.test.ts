import t from 'tap'
import { readConfig } from '../../src/config.ts'

t.test('alerts need a secret for the webhook, and addresses for the mail', async t => {
  const webhook = { LINKER_ALERT_WEBHOOK_URL: 'https://alerts.example/hook?key=k' }
  const mail = { LINKER_ALERT_SMTP_URL: 'smtps://anna:p%40ss@mail.example' }
  const addresses = {
    LINKER_ALERT_MAIL_FROM: 'hub@shop.example',
    LINKER_ALERT_MAIL_TO: 'a@shop.example, b@shop.example'
  }
  const secret = { LINKER_ALERT_WEBHOOK_SECRET: 'sixteen letters.' }
  const readAlerts = (environment: NodeJS.ProcessEnv) => readConfig(environment, '/project').alerts

  t.strictSame(readAlerts({}), { quietMinutes: 60, leastSeverity: 'warning' })
  t.strictSame(readAlerts({ ...webhook, ...secret, ...mail, ...addresses, LINKER_ALERT_SEVERITY: 'error' }), {
    webhook: { url: 'https://alerts.example/hook?key=k', secret: 'sixteen letters.' },
    mail: {
      smtpUrl: 'smtps://anna:p%40ss@mail.example',
      from: 'hub@shop.example',
      to: ['a@shop.example', 'b@shop.example']
    },
    quietMinutes: 60,
    leastSeverity: 'error'
  })
  for (
    const [environment, named] of [
      [webhook, 'LINKER_ALERT_WEBHOOK_SECRET'],
      [mail, 'LINKER_ALERT_MAIL_FROM'],
      [{ ...mail, ...addresses, LINKER_ALERT_MAIL_TO: 'a@shop.example;b@shop.example' }, 'LINKER_ALERT_MAIL_TO'],
      [{ ...secret, LINKER_ALERT_WEBHOOK_URL: 'https://u:hidden@alerts.example' }, 'LINKER_ALERT_WEBHOOK_URL'],
      [{ ...addresses, LINKER_ALERT_SMTP_URL: 'smtp://mail.example:x' }, 'LINKER_ALERT_SMTP_URL'],
      [{ ...addresses, LINKER_ALERT_SMTP_URL: 'smtp://u:hidden%@mail.example' }, 'LINKER_ALERT_SMTP_URL'],
      [{ ...addresses, LINKER_ALERT_SMTP_URL: 'smtp://u%:hidden@mail.example' }, 'LINKER_ALERT_SMTP_URL']
    ] as const
  ) {
    const message = messageOf(() => readAlerts(environment))
    t.match(message, named)
    t.notMatch(message, 'hidden')
  }
})

function messageOf (run: () => unknown): string {
  try {
    run()
    return 'nothing was thrown'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
