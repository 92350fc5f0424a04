import { Type, type Static, type TObject } from '@sinclair/typebox'
import { InvalidConfigurationError } from '../errors.ts'
import { itemsOf, url } from './texts.ts'

/** An address, without a name beside it: this is for machines. */
const mailAddress = String.raw`^[^\s@,<>"]+@[^\s@,<>"]+$`

/** The variables that say how the hub tells people what needs them. */
export const alertVariables = {
  LINKER_ALERT_WEBHOOK_URL: Type.Optional(url('https?', {
    description: 'Address to which the hub sends what needs a person. Absent: no webhook'
  })),
  LINKER_ALERT_WEBHOOK_SECRET: Type
    .Optional(Type.String({
      minLength: 16,
      description: 'Secret that signs these webhooks, 16 characters or more; needed with LINKER_ALERT_WEBHOOK_URL'
    })),
  LINKER_ALERT_SMTP_URL: Type.Optional(url('smtps?', {
    description: 'Mail server for alerts, such as smtps://user:password@mail.example. Absent: no mail'
  })),
  LINKER_ALERT_MAIL_FROM: Type
    .Optional(Type.String({
      pattern: mailAddress,
      description: 'Sender of these mails; needed with LINKER_ALERT_SMTP_URL'
    })),
  LINKER_ALERT_MAIL_TO: Type
    .Optional(Type.String({
      pattern: `${mailAddress.slice(0, -1)}(?:\\s*,\\s*${mailAddress.slice(1, -1)})*$`,
      description: 'Receivers of these mails, comma-separated; needed with LINKER_ALERT_SMTP_URL'
    })),
  LINKER_ALERT_QUIET_MINUTES: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    default: 60,
    description: 'Minutes within which the same alert is not sent again'
  }),
  LINKER_ALERT_SEVERITY: Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('info')], {
    default: 'warning',
    description: 'Least severity of which people are told: error, warning or info'
  })
}
type AlertVariables = Static<TObject<typeof alertVariables>>

/** How the hub tells people what needs them. A channel that is absent is not used. */
export interface AlertSettings {
  webhook?: { url: string, secret: string }
  mail?: { smtpUrl: string, from: string, to: string[] }
  /** The same item is not told again within this time. */
  quietMinutes: number
  /** Items that are less severe are not told. */
  leastSeverity: 'error' | 'warning' | 'info'
}

/**
 * Makes the settings of the alerts from their variables. Throws `LNK_CONFIG_INVALID` when a
 * variable lacks another one that it needs, or is no address.
 */
export function readAlerts (values: AlertVariables): AlertSettings {
  const {
    LINKER_ALERT_WEBHOOK_URL: url,
    LINKER_ALERT_WEBHOOK_SECRET: secret,
    LINKER_ALERT_SMTP_URL: smtpUrl,
    LINKER_ALERT_MAIL_FROM: from,
    LINKER_ALERT_MAIL_TO: to
  } = values
  if (url !== undefined && secret === undefined) {
    throw new InvalidConfigurationError('LINKER_ALERT_WEBHOOK_URL is set, but LINKER_ALERT_WEBHOOK_SECRET is not: a ' +
      'receiver could not tell alerts of the hub from others. Set a secret that the receiver knows')
  }
  if (smtpUrl !== undefined && (from === undefined || to === undefined)) {
    throw new InvalidConfigurationError('LINKER_ALERT_SMTP_URL is set: set LINKER_ALERT_MAIL_FROM and ' +
      'LINKER_ALERT_MAIL_TO too')
  }
  return {
    ...(url === undefined || secret === undefined ? {} : { webhook: { url: parseAlertUrl(url), secret } }),
    ...(smtpUrl === undefined || from === undefined || to === undefined
      ? {}
      : { mail: { smtpUrl: parseSmtpUrl(smtpUrl), from, to: itemsOf(to) } }),
    quietMinutes: values.LINKER_ALERT_QUIET_MINUTES,
    leastSeverity: values.LINKER_ALERT_SEVERITY
  }
}

/** Leaves the address out of its errors: it may hold a secret. */
function parseAlertUrl (text: string): string {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new InvalidConfigurationError('LINKER_ALERT_WEBHOOK_URL must be an address such as ' +
      'https://alerts.example/linker, without credentials and fragment')
  }
  return url.href
}

function parseSmtpUrl (text: string): string {
  const url = URL.parse(text)
  if (url === null || url.hostname === '' || !isPercentEncoded(url.username) || !isPercentEncoded(url.password)) {
    throw new InvalidConfigurationError('LINKER_ALERT_SMTP_URL must be an address such as ' +
      'smtps://user:password@mail.example; write special characters of user and password as %40, and % as %25')
  }
  return url.href
}

/** Whether `decodeURIComponent` takes the text, with which the mail channel reads both parts. */
function isPercentEncoded (text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
